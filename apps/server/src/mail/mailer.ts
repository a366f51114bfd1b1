import { createTransport } from 'nodemailer'
import { messageOf } from '../lib/error-text.ts'
import { LIMITS } from './limits.ts'

/** One mail to one person, as plain text. */
export interface Mail {
  readonly to: { readonly name: string; readonly address: string }
  readonly fromName: string
  /** '' for none. */
  readonly replyTo: string
  readonly subject: string
  readonly text: string
  /** Left of the `@` of the Message-ID: the same mail, sent twice after a crash, has the same one. */
  readonly id: string
}

/** PORT: sends e-mail. Tests put one in its place that keeps the mails. */
export interface Mailer {
  /** @throws Error with what the mail server said; a `PermanentMailError` where trying again cannot help */
  send(mail: Mail): Promise<void>
  close(): void
}

/** Thrown for what the mail server will never take. */
export class PermanentMailError extends Error {
  override readonly name = 'PermanentMailError'
}

export interface SmtpAddress {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  readonly requireTls: boolean
  readonly auth: { readonly user: string; readonly pass: string } | null
  /** Sender of all mails. */
  readonly from: string
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }

/**
 * `FIRSTHAND_SMTP_URL`: `smtp://user:password@host:587?from=support@example.com`. `smtps:` is TLS from the start; with
 * `smtp:` TLS is used when the server offers it, and demanded with `?tls=required`.
 *
 * @throws Error with a sentence that says what to write
 */
export const readSmtpUrl = (text: string): SmtpAddress => {
  const url = new URL(text)
  const port = PORTS[url.protocol]
  if (port === undefined || url.hostname === '') {
    throw new Error('FIRSTHAND_SMTP_URL must look like smtp://user:password@host:587?from=support@example.com.')
  }
  const user = decodeURIComponent(url.username)
  const from = url.searchParams.get('from') ?? (user.includes('@') ? user : `firsthand@${url.hostname}`)
  if (!/^[^\s@<>"]+@[^\s@<>"]+$/.test(from)) {
    throw new Error(`FIRSTHAND_SMTP_URL: "${from}" is no address to send from; write ?from=support@example.com.`)
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? port : Number(url.port),
    secure: url.protocol === 'smtps:',
    requireTls: url.searchParams.get('tls') === 'required',
    auth: user === '' ? null : { user, pass: decodeURIComponent(url.password) },
    from,
  }
}

/**
 * Sends by SMTP. The headers `Auto-Submitted` and `X-Auto-Response-Suppress` keep out-of-office notes and loops of automatic
 * answers away.
 */
export const createSmtpMailer = (address: SmtpAddress): Mailer => {
  const transport = createTransport({
    host: address.host,
    port: address.port,
    secure: address.secure,
    requireTLS: address.requireTls,
    ...(address.auth === null ? {} : { auth: { ...address.auth } }),
    connectionTimeout: LIMITS.FEEDBACK_MAIL_TIMEOUT_MS,
    greetingTimeout: LIMITS.FEEDBACK_MAIL_TIMEOUT_MS,
    socketTimeout: LIMITS.FEEDBACK_MAIL_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = address.from.slice(address.from.lastIndexOf('@') + 1)
  return {
    send: async ({ to, fromName, replyTo, subject, text, id }) => {
      try {
        await transport.sendMail({
          from: { name: fromName, address: address.from },
          to: { name: to.name, address: to.address },
          ...(replyTo === '' ? {} : { replyTo }),
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        })
      } catch (error) {
        const said = messageOf(error)
        // 5xx: the server has decided, and says so again tomorrow (RFC 5321, 4.2.1). Wrong credentials get repaired.
        const code = codeOf(error)
        if (code >= 500 && code < 600 && code !== 530 && code !== 535) throw new PermanentMailError(said)
        throw new Error(said, { cause: error })
      }
    },
    close: () => transport.close(),
  }
}

const codeOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : 0

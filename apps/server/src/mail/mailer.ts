import { createTransport } from 'nodemailer'
import { messageOf } from '../lib/error-text.ts'
import { LIMITS } from './limits.ts'

export interface MailAddress {
  readonly name: string
  readonly address: string
}

/** One mail, as plain text and, where somebody wants it, as HTML that says the same. */
export interface Mail {
  /** One person; several read of each other. */
  readonly to: MailAddress | readonly MailAddress[]
  readonly fromName: string
  /** '' for none. */
  readonly replyTo: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Left of the `@` of the Message-ID: the same mail, sent twice after a crash, has the same one. */
  readonly id: string
  /** The same for all mails of a conversation, in the form of `id`: readers show them as one. */
  readonly conversation?: string
  /** What its receivers sort it by: `List-Id`. */
  readonly list?: string
  /** Where one click, and no question, ends mails of this kind (RFC 8058). */
  readonly unsubscribeUrl?: string
}

/** What the mail server said of a mail that it took. */
export interface SentMail {
  readonly said: string
  /** Of several receivers those that it took it not for. */
  readonly rejected: readonly { readonly address: string; readonly said: string }[]
}

/** PORT: sends e-mail. Tests put one in its place that keeps the mails. */
export interface Mailer {
  /** @throws Error with what the mail server said; a `PermanentMailError` where trying again cannot help */
  send(mail: Mail): Promise<SentMail>
  close(): void
}

/** Thrown for what the mail server will never take. */
export class PermanentMailError extends Error {
  override readonly name = 'PermanentMailError'
  /** `hard`: the mail server refused it, for good; null: we did. */
  readonly refused: 'hard' | null
  constructor(message: string, refused: 'hard' | null = null) {
    super(message)
    this.refused = refused
  }
}

/** The mail server refused the receiver for now: a full mailbox, an address that is not known yet. */
export class PostponedMailError extends Error {
  override readonly name = 'PostponedMailError'
  readonly refused = 'soft'
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

/** Line breaks begin another header, NUL ends some servers' lines, and the marks of direction show another name than there is. */
// oxlint-disable-next-line no-control-regex -- these are the ones to refuse
const NOT_IN_HEADERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** @throws PermanentMailError */
const refuseForgedHeaders = ({
  to,
  fromName,
  replyTo,
  subject,
  id,
  conversation,
  list,
  unsubscribeUrl,
}: Mail): void => {
  const receivers = [to].flat().flatMap(({ name, address }) => [name, address])
  const values = [...receivers, fromName, replyTo, subject, id, conversation, list, unsubscribeUrl]
  if (values.some((value) => NOT_IN_HEADERS.test(value ?? ''))) {
    throw new PermanentMailError('A header of this mail has a line break or another control character in it.')
  }
}

const listHeaders = ({ list, unsubscribeUrl }: Mail, domain: string) => ({
  // Sorted by its bytes: it is neither encoded nor folded.
  ...(list === undefined ? {} : { 'List-Id': { prepared: true, value: `<${list}.${domain}>` } }),
  ...(unsubscribeUrl === undefined
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

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
    send: async (mail) => {
      const { to, fromName, replyTo, subject, text, html, id, conversation } = mail
      refuseForgedHeaders(mail)
      const root = `<${conversation ?? ''}@${domain}>`
      try {
        const { response, rejectedErrors = [] } = await transport.sendMail({
          from: { name: fromName, address: address.from },
          to: [to].flat().map((receiver) => ({ name: receiver.name, address: receiver.address })),
          ...(replyTo === '' ? {} : { replyTo }),
          subject,
          text,
          ...(html === undefined ? {} : { html }),
          messageId: `<${id}@${domain}>`,
          ...(conversation === undefined ? {} : { inReplyTo: root, references: root }),
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...listHeaders(mail, domain),
          },
        })
        const rejected = rejectedErrors.map((error) => ({
          address: error.recipient ?? '',
          said: error.response ?? error.message,
        }))
        return { said: response, rejected }
      } catch (error) {
        const said = messageOf(error)
        // 5xx: the server has decided, and says so again tomorrow (RFC 5321, 4.2.1). Wrong credentials get repaired.
        const code = codeOf(error)
        if (code >= 500 && code < 600 && code !== 530 && code !== 535) throw new PermanentMailError(said, 'hard')
        if (code >= 400 && code < 500 && isAboutReceiver(error)) throw new PostponedMailError(said, { cause: error })
        throw new Error(said, { cause: error })
      }
    },
    close: () => transport.close(),
  }
}

/** A server that is busy, or away, says so before it hears of a receiver. */
const isAboutReceiver = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'command' in error &&
  (error.command === 'RCPT TO' || error.command === 'DATA')

const codeOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : 0

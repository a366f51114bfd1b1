import { SMTPServer } from 'smtp-server'
import { createSmtpMailer, readSmtpUrl, type Mailer } from '../../mail/mailer.ts'

export interface ReceivedMail {
  readonly to: readonly string[]
  /** Headers and body as they came. */
  readonly raw: string
}

/** A real mail server on loopback, and a mailer that sends to it. */
export interface Mailbox {
  readonly mailer: Mailer
  readonly mails: ReceivedMail[]
  /** What mails are answered with; null takes them. */
  refusal: number | null
  /** Receivers whose mailbox is full: the server says so of each by itself. */
  readonly full: Set<string>
  /** Receivers that the server does not know. */
  readonly unknown: Set<string>
  close(): Promise<void>
}

export const startMailbox = async (): Promise<Mailbox> => {
  const mails: ReceivedMail[] = []
  const box = { refusal: null as number | null, full: new Set<string>(), unknown: new Set<string>() }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address: receiver }, _session, callback) {
      if (box.unknown.has(receiver)) return callback(Object.assign(new Error('no such user'), { responseCode: 550 }))
      callback(box.full.has(receiver) ? Object.assign(new Error('mailbox full'), { responseCode: 452 }) : null)
    },
    onData(stream, session, callback) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        if (box.refusal !== null) {
          callback(Object.assign(new Error('not here'), { responseCode: box.refusal }))
          return
        }
        const raw = Buffer.concat(pieces).toString('utf8')
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw })
        callback(null, 'queued as 4711')
      })
    },
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const mailer = createSmtpMailer(readSmtpUrl(`smtp://127.0.0.1:${port}?from=firsthand@acme.example`))
  return Object.assign(box, {
    mailer,
    mails,
    close: async () => {
      mailer.close()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  })
}

/** Header lines, unfolded. */
export const headerLines = (raw: string): readonly string[] =>
  raw
    .slice(0, raw.indexOf('\r\n\r\n'))
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')

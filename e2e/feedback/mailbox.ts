import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The whole message, headers and body. */
  readonly raw: string
}

/** A real mail server on loopback that keeps what it gets. */
export const startMailbox = async () => {
  const mails: ReceivedMail[] = []
  let refusals = 0
  let code = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refusals > 0) {
          refusals -= 1
          callback(Object.assign(new Error('not now'), { responseCode: code }))
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((recipient) => recipient.address),
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        callback()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}?from=support@shop.example`,
    mails,
    /** Answers the next mails with this code. */
    refuse: (count: number, withCode: number): void => {
      refusals = count
      code = withCode
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

/** Header lines unfolded, in lower case names. */
export const headersOf = ({ raw }: ReceivedMail): ReadonlyMap<string, string> => {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  return new Map(
    head.split('\r\n').map((line): [string, string] => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
}

/** The text, decoded. */
export const textOf = (mail: ReceivedMail): string => {
  const body = mail.raw.slice(mail.raw.indexOf('\r\n\r\n') + 4)
  const encoding = headersOf(mail).get('content-transfer-encoding') ?? '7bit'
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

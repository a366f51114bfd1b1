import { dsnText, parseDsnParts } from './wire.ts'

/** A DSN with its numbers as numbers. */
export interface Dsn {
  readonly protocol: 'http' | 'https'
  readonly publicKey: string
  /** Host name or address, lower case, without port; IPv6 in brackets. */
  readonly host: string
  readonly port: number | null
  /** Path prefix without slashes at its ends; '' when there is none. */
  readonly path: string
  readonly projectId: number
}

/** Longer strings are not worth a look. */
const MAX_DSN_LENGTH = 2048

/** Null when the text is not a DSN, or one of its numbers is too large. */
export const parseDsn = (text: string): Dsn | null => {
  if (text.length > MAX_DSN_LENGTH) return null
  const parts = parseDsnParts(text)
  if (parts === undefined) return null
  const port = parts.port === undefined ? null : Number(parts.port)
  const projectId = Number(parts.projectId)
  if (parts.projectId.length > 16 || !Number.isSafeInteger(projectId)) return null
  if (parts.port !== undefined && (parts.port.length > 5 || Number(parts.port) > 65_535)) return null
  const { publicKey, path = '' } = parts
  const protocol = parts.protocol.toLowerCase() === 'https' ? 'https' : 'http'
  return { protocol, publicKey, host: parts.host.toLowerCase(), port, path, projectId }
}

export const formatDsn = ({ port, projectId, ...dsn }: Dsn): string =>
  dsnText({ ...dsn, ...(port !== null && { port: String(port) }), projectId: String(projectId) })

/** `{scheme}://{publicKey}[:{secret}]@{host}[:{port}][/{path}]/{projectId}` (protocol.md 0). The secret is obsolete and forgotten. */
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

const DSN = /^(https?):\/\/([\w-]+)(?::[^@/]*)?@(\[[0-9a-f:.]+\]|[^@/:?#\s[\]]+)(?::(\d{1,5}))?\/([^?#\s]*)$/i

/** Longer strings are not worth a look. */
const MAX_DSN_LENGTH = 2048

/**
 * Null when the text is not a DSN with a numeric project id. As in the JavaScript SDK only the leading digits of the last
 * path segment are the project id.
 */
export const parseDsn = (text: string): Dsn | null => {
  if (text.length > MAX_DSN_LENGTH) return null
  const match = DSN.exec(text)
  if (match === null) return null
  const [, protocol = '', publicKey = '', host = '', portText, rest = ''] = match
  const segments = rest.split('/').filter((segment) => segment !== '')
  const projectId = parseProjectId(segments.pop() ?? '')
  const port = portText === undefined ? null : Number(portText)
  if (projectId === null || (port !== null && port > 65_535)) return null
  return {
    protocol: protocol.toLowerCase() === 'https' ? 'https' : 'http',
    publicKey,
    host: host.toLowerCase(),
    port,
    path: segments.join('/'),
    projectId,
  }
}

export const formatDsn = (dsn: Dsn): string => {
  const port = dsn.port === null ? '' : `:${dsn.port}`
  const path = dsn.path === '' ? '' : `/${dsn.path}`
  return `${dsn.protocol}://${dsn.publicKey}@${dsn.host}${port}${path}/${dsn.projectId}`
}

const parseProjectId = (text: string): number | null => {
  const digits = /^\d{1,16}(?!\d)/.exec(text)?.[0]
  if (digits === undefined) return null
  const id = Number(digits)
  return Number.isSafeInteger(id) ? id : null
}

/**
 * What senders need of the wire format, and no more: browsers load it with the SDK and the widget, where every few bytes
 * count. `index.ts` has it as well, for everybody else.
 */

/** A DSN as it is written, in the names that clients of Sentry's SDKs have for its parts. */
export interface DsnParts {
  readonly protocol: string
  readonly publicKey: string
  /** Host name or address as it is written, without port; IPv6 in brackets. */
  readonly host: string
  readonly port?: string | undefined
  /** Path prefix without slashes at its ends. */
  readonly path?: string | undefined
  /** Digits. */
  readonly projectId: string
}

/**
 * `{scheme}://{publicKey}[:{secret}]@{host}[:{port}][/{path}]/{projectId}` (protocol.md 0). The secret is obsolete and
 * forgotten. As in the JavaScript SDK only the leading digits of the last path segment are the project id.
 * Undefined when the text is not a DSN.
 */
export const parseDsnParts = (text: string): DsnParts | undefined => {
  const [, protocol = '', publicKey = '', host = '', port, path, projectId] = DSN.exec(text) ?? []
  return projectId ? { protocol, publicKey, host, port, path, projectId } : undefined
}

/** Linear in the text: there is one way to divide the path. */
const DSN =
  /^(https?):\/\/([\w-]+)(?::[^@/]*)?@(\[[\da-f:.]+\]|[^@/:?#\s[\]]+)(?::(\d+))?\/(?:([^?#\s]*)\/)?(\d+)[^/?#\s]*\/*$/i

/** A DSN's server, with the prefix of its path. */
export const originOf = ({ protocol, host, port, path }: DsnLike): string =>
  `${protocol}://${host}${port ? `:${port}` : ''}${path ? `/${path}` : ''}`

export const dsnText = (dsn: DsnLike): string =>
  `${originOf({ ...dsn, host: `${dsn.publicKey}@${dsn.host}` })}/${dsn.projectId}`

/** Authentication stands in the query, so that no preflight is needed (protocol.md 2.2). */
export const envelopeUrl = (dsn: DsnLike): string =>
  `${originOf(dsn)}/api/${dsn.projectId}/envelope/?sentry_version=7&sentry_key=${dsn.publicKey}`

/** The parts of a DSN, as any client has them. */
interface DsnLike {
  readonly protocol: string
  readonly publicKey?: string
  readonly host: string
  readonly port?: string | undefined
  readonly path?: string | undefined
  readonly projectId: string
}

type Header = Readonly<Record<string, unknown>>

/** The line that an envelope begins with. */
export const headerLine = (header: Header, toJson: (value: unknown) => string = JSON.stringify): string =>
  `${toJson(header)}\n`

/**
 * The items of an envelope (protocol.md 1.1): header lines, and the payloads as they were given. Whoever gives a payload's
 * length in bytes may have line feeds in it; without a length it ends at the first one.
 */
export const itemParts = <Payload>(
  items: readonly (readonly [header: Header, payload: Payload, length?: number])[],
  toJson?: (value: unknown) => string,
): (string | Payload)[] =>
  items.flatMap(([header, payload, length]) => [headerLine({ ...header, length }, toJson), payload, '\n'])

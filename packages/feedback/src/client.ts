/** What the widget needs of an SDK's client: `@sentry/browser` 8–11 and `@firsthand/browser` both have it. */
export interface ClientLike {
  getOptions(): ClientOptions
  getDsn(): DsnParts | undefined
  getSdkMetadata?(): { sdk?: { name?: string; version?: string } } | undefined
  /** Optional method syntax: event maps differ between versions, so nothing more is said of the arguments. */
  emit?(hook: never, ...rest: never[]): void
  getIntegrationByName?(name: string): unknown
}

export interface ClientOptions {
  readonly dsn?: string | undefined
  readonly tunnel?: string | undefined
  readonly release?: string | undefined
  readonly environment?: string | undefined
  readonly dist?: string | undefined
}

export interface DsnParts {
  readonly protocol: string
  readonly publicKey?: string
  readonly host: string
  readonly port?: string
  readonly path?: string
  readonly projectId: string
}

/** `protocol://key@host:port/path/id`. Null when it is not a DSN. */
const dsnOf = (text: string): DsnParts | null => {
  const found = /^(https?):\/\/([\w-]+)(?::\w*)?@([^/:]+|\[[^\]]+\])(?::(\d+))?\/(?:(.+)\/)?(\d+)\/?$/.exec(text)
  const [, protocol, publicKey, host, port, path, projectId] = found ?? []
  if (protocol === undefined || publicKey === undefined || host === undefined || projectId === undefined) return null
  return {
    protocol,
    publicKey,
    host,
    projectId,
    ...(port !== undefined && { port }),
    ...(path !== undefined && { path }),
  }
}

/** Undefined when the client has none, or a bad one. */
export const dsnOfClient = (client: ClientLike): DsnParts | undefined =>
  client.getDsn() ?? dsnOf(client.getOptions().dsn ?? '') ?? undefined

const originOf = ({ protocol, host, port, path }: DsnParts): string =>
  `${protocol}://${host}${port ? `:${port}` : ''}${path ? `/${path}` : ''}`

export const dsnText = (dsn: DsnParts): string =>
  originOf(dsn).replace('://', `://${dsn.publicKey}@`) + `/${dsn.projectId}`

/** Where envelopes for a client go, in the order to try (protocol.md 2). */
export const endpointsOf = (client: ClientLike, fallbackTunnel?: string): string[] => {
  const dsn = dsnOfClient(client)
  if (dsn === undefined) return []
  const direct = `${originOf(dsn)}/api/${dsn.projectId}/envelope/?sentry_key=${dsn.publicKey}&sentry_version=7`
  return [client.getOptions().tunnel || direct, ...(fallbackTunnel ? [fallbackTunnel] : [])]
}

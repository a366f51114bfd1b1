import { envelopeUrl, parseDsnParts } from '@firsthand/protocol/wire'

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
  readonly port?: string | undefined
  readonly path?: string | undefined
  readonly projectId: string
}

/** Undefined when the client has none, or a bad one. */
export const dsnOfClient = (client: ClientLike): DsnParts | undefined =>
  client.getDsn() ?? parseDsnParts(client.getOptions().dsn ?? '')

/** Where envelopes for a client go, in the order to try (protocol.md 2). */
export const endpointsOf = (client: ClientLike, fallbackTunnel?: string): string[] => {
  const dsn = dsnOfClient(client)
  if (dsn === undefined) return []
  return [client.getOptions().tunnel || envelopeUrl(dsn), ...(fallbackTunnel ? [fallbackTunnel] : [])]
}

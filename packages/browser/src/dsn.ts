import { guard } from './guard.ts'
import type { DsnParts } from './types.ts'

/** `protocol://key@host:port/path/id`. Undefined when it is not a DSN. */
export const parseDsn = (dsn: string): DsnParts | undefined =>
  guard(() => {
    const { protocol, username: publicKey, hostname: host, port, pathname } = new URL(dsn)
    const [, path, projectId] = /^\/(?:(.+)\/)?(\d+)\/?$/.exec(pathname) ?? []
    if (!projectId || !publicKey || !/^https?:$/.test(protocol)) return undefined
    return { protocol: protocol.slice(0, -1), publicKey, host, projectId, ...(port && { port }), ...(path && { path }) }
  })

const originOf = ({ protocol, host, port, path }: DsnParts, key = ''): string =>
  `${protocol}://${key}${host}${port ? `:${port}` : ''}${path ? `/${path}` : ''}`

export const dsnText = (dsn: DsnParts): string => `${originOf(dsn, `${dsn.publicKey}@`)}/${dsn.projectId}`

/** Authentication stands in the query, so that no preflight is needed (protocol.md 2.2). */
export const envelopeUrl = (dsn: DsnParts, sdk: string): string =>
  `${originOf(dsn)}/api/${dsn.projectId}/envelope/?sentry_version=7&sentry_key=${dsn.publicKey}&sentry_client=${encodeURIComponent(sdk)}`

export const reportPageUrl = (dsn: DsnParts): string => `${originOf(dsn)}/api/embed/error-page/`

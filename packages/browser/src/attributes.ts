import { isolationScope, scopes } from './scopes.ts'
import type { Client } from './client.ts'
import { text } from './guard.ts'

/** Characters of one value. */
const MAX_TEXT = 4096

const typeOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'boolean'
    ? typeof value
    : Number.isFinite(value)
      ? Number.isInteger(value)
        ? 'integer'
        : 'double'
      : Array.isArray(value)
        ? 'array'
        : undefined

/** Attributes of spans and logs as they are sent (protocol.md 3.3): each says its type. What has none is left out. */
export const typed = (values: Readonly<Record<string, unknown>>): Record<string, { type: string; value: unknown }> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const type = typeOf(value)
      return type ? [[name, { type, value: type === 'string' ? text(value, MAX_TEXT) : value }]] : []
    }),
  )

/** What each of them says about page and visitor. */
export const surroundings = (client: Client): Record<string, unknown> => {
  const { release, environment = 'production' } = client.getOptions()
  const { name, version } = client.getSdkMetadata().sdk ?? {}
  const { id, email, username, ip_address } = { ...isolationScope.data.user, ...scopes.current.data.user }
  return {
    'sentry.release': release,
    'sentry.environment': environment,
    'sentry.sdk.name': name,
    'sentry.sdk.version': version,
    'user.id': id,
    'user.email': email,
    'user.name': username,
    'user.ip_address': ip_address,
  }
}

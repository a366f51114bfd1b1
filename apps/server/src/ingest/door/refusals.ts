import type { DataCategory } from '@firsthand/protocol'
import type { Limits } from './door.ts'
import { byteLimitHeader, heavyLimitHeader, limitHeader } from './limit.ts'
import type { limitBytes, limitItems } from './limit.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'

/** What senders are told who name no key, a wrong one, or send from a foreign place (protocol.md 2.3). */
export const NO_KEY = refuse(401, 'missing_auth', 'missing authorization information', {
  causes: ['Name the public key of the DSN as sentry_key in the query, in X-Sentry-Auth, or as dsn in the envelope.'],
})
export const UNKNOWN_KEY = refuse(403, 'unknown_key', 'event submission rejected with_reason: ProjectId', {
  causes: ['No project has this public key. Compare the DSN with the one in the project settings.'],
})
export const DISABLED_KEY = refuse(403, 'disabled_key', 'event submission rejected with_reason: ProjectId', {
  causes: ['This key is switched off in the project settings.'],
})
export const FOREIGN_PROJECT = refuse(403, 'foreign_project', 'event submission rejected with_reason: ProjectId', {
  causes: ['The key belongs to another project than the one in the path.'],
})
export const FOREIGN_ORIGIN = refuse(403, 'cors', 'this domain is not in the list of allowed domains of the project')
export const DISAGREEMENT = refuse(400, 'invalid_auth', 'the DSN in the envelope disagrees with the request', {
  causes: ['Project id and public key must be the same in both places.'],
})

/** The spool has no room. */
export const storageFull = (limits: Limits): Refusal =>
  refuse(503, 'storage_full', 'the server cannot keep more data: its disk is full or its queue is at the limit', {
    retryAfterSeconds: limits.UNAVAILABLE_RETRY_SECONDS,
  })

export const storageGone = (limits: Limits): Refusal =>
  refuse(
    503,
    'storage_gone',
    'the server cannot keep more data: its data folder was removed or replaced while it runs',
    { retryAfterSeconds: limits.UNAVAILABLE_RETRY_SECONDS },
  )

export const overLimit = (limit: NonNullable<ReturnType<typeof limitItems>['limit']>): Refusal => {
  const { reason, retryAfterSeconds } = limit
  const more = { retryAfterSeconds, rateLimits: limitHeader(limit) }
  return reason === 'key_quota'
    ? refuse(429, 'key_quota', 'rate limit of the project key exceeded', more)
    : refuse(429, 'spike_protection', 'spike protection: this project sends many times more events than usual', more)
}

/** @param categories those of which the project has too much waiting */
export const overHeavy = (limits: Limits, categories: readonly DataCategory[]): Refusal => {
  const retryAfterSeconds = limits.BACKLOG_RETRY_SECONDS
  return refuse(
    429,
    'project_backlog',
    'the project sent more recordings than the server can process at present; send again later',
    { retryAfterSeconds, rateLimits: heavyLimitHeader(retryAfterSeconds, categories) },
  )
}

export const overBytes = (over: NonNullable<ReturnType<typeof limitBytes>['over']>): Refusal => {
  const { maxBytes, reason, retryAfterSeconds, window } = over
  const more = { retryAfterSeconds, rateLimits: byteLimitHeader(over) }
  return reason === 'key_byte_quota'
    ? refuse(
        429,
        'key_byte_quota',
        `the project key sent more than ${maxBytes} bytes in this ${window}; the limit is in the project's settings under Keys`,
        more,
      )
    : refuse(
        429,
        'organization_byte_quota',
        `the organisation sent more than ${maxBytes} bytes in this ${window}; the limit is in the organisation's settings`,
        more,
      )
}

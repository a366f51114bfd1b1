import { isObject, normaliseEventId } from '@firsthand/protocol'
import { LIMITS } from './limits.ts'

/** One check-in of a run, as it came. */
export interface CheckIn {
  readonly slug: string
  /** Null: the run that began last and is not over. */
  readonly checkInId: string | null
  readonly status: 'in_progress' | 'ok' | 'error' | 'unknown' | 'log'
  readonly durationMs: number | null
  readonly environment: string
  readonly release: string
  /** 32 hex characters. */
  readonly traceId: string | null
  /** As sent; null without one. */
  readonly config: unknown
  readonly exitCode: number | null
  /** What the run wrote; '' for nothing. */
  readonly log: string
}

const NIL = '0'.repeat(32)
const STATUSES: ReadonlySet<unknown> = new Set(['in_progress', 'ok', 'error', 'log'])
/** A duration is below this; a sender that says more is mistaken. */
const MOST_SECONDS = 366 * 86_400

/**
 * Reads what an SDK or a request by URL says (protocol.md 3.8).
 *
 * @returns null when it names no monitor
 */
export const readCheckIn = (value: unknown): CheckIn | null => {
  if (!isObject(value)) return null
  const slug = readSlug(value['monitor_slug'])
  if (slug === '') return null
  const { contexts, duration, status } = value
  const trace = isObject(contexts) ? contexts['trace'] : null
  const id = normaliseEventId(value['check_in_id'])
  return {
    slug,
    checkInId: id === NIL ? null : id,
    // What only this server decides is not believed.
    status: STATUSES.has(status) ? (status as CheckIn['status']) : 'unknown',
    durationMs:
      typeof duration === 'number' && duration >= 0 && duration < MOST_SECONDS ? Math.round(duration * 1000) : null,
    environment: readWord(value['environment'], 64) || 'production',
    release: readWord(value['release'], 250),
    traceId: isObject(trace) ? normaliseEventId(trace['trace_id']) : null,
    config: value['monitor_config'] ?? null,
    exitCode: typeof value['exit_code'] === 'number' ? value['exit_code'] : null,
    log: typeof value['log'] === 'string' ? value['log'].slice(0, LIMITS.CHECK_IN_LOG_BYTES) : '',
  }
}

const readWord = (value: unknown, most: number): string =>
  typeof value === 'string'
    ? value
        .replaceAll(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, most)
        .toWellFormed()
    : ''

/** As Sentry writes it: lower case, and what is no letter, digit or underscore is a hyphen. */
export const readSlug = (value: unknown): string =>
  readWord(value, 200)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LIMITS.MONITOR_SLUG_CHARS)

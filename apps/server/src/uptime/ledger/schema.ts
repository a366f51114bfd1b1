import type { Generated } from 'kysely'
import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

export interface UptimeCheckTable {
  id: Generated<number>
  /** A UUID, by which it is named outside. */
  guid: string
  organization_id: number
  project_id: number
  name: string
  /** Of its issues, e.g. `production`. */
  environment: string
  /** What is asked and what the answer has to be, as `SealedCheck`. */
  asked: JsonText
  interval_seconds: number
  /** Failures in a row before it is down, */
  failures_needed: number
  /** and good answers before it is up again. */
  oks_needed: number
  is_disabled: Flag
  is_muted: Flag
  /** `active` before its first result, then `up` or `down`. */
  status: string
  failures_in_row: number
  oks_in_row: number
  /** When the first of the failures came that made it fail. */
  incident_since: Instant | null
  /** An issue was opened, which is over when it is up again. */
  has_issue: Flag
  /** The day (of UTC) of its last incident that was told, in days since 1970, */
  incident_day: Generated<number>
  /** and how many there were on it. */
  incident_count: Generated<number>
  /** What was wrong last, in a sentence; '' while all is well. */
  last_failure: string
  last_asked_at: Instant | null
  /** When it is asked next; null while it is off. */
  next_at: Instant | null
  /** When the certificate ends that was seen last. */
  certificate_ends_at: Instant | null
  /** Days before that, of which was told last. */
  certificate_step: number | null
  created_at: Instant
  /** It is gone, and can be brought back for a short while. */
  deleted_at: Instant | null
}

/** What came of asking, after it was asked again where it failed. */
export interface UptimeResultTable {
  id: Generated<number>
  check_id: number
  at: Instant
  /** `up`, `down`, or `unknown` when this server was cut off. */
  result: string
  /** E.g. `status` or `dns`; '' while all is well. */
  failure_kind: string
  reason: string
  http_status: number | null
  /** Milliseconds from the beginning to the address, */
  dns_ms: number | null
  /** the connection, */
  connect_ms: number | null
  /** its encryption, */
  tls_ms: number | null
  /** the first byte */
  first_byte_ms: number | null
  /** and the end. */
  total_ms: number | null
}

/** How the answers of a day (of UTC) were; it is kept when they go. */
export interface UptimeDayTable {
  check_id: number
  /** Days since 1970. */
  day: number
  /** Answers that were well. */
  up: number
  /** Failures. */
  down: number
  /** Times at which this server was cut off. */
  unknown: number
}

/** What is still to be told of an address. */
export interface UptimeEventTable {
  id: Generated<number>
  check_id: number
  /** `failed` or `over`. */
  kind: string
  /** `address` or `certificate`. */
  about: string
  /** Of the issue. */
  title: string
  /** In a sentence. */
  reason: string
  at: Instant
  /** When its event was sent on its way; it stays until that was digested. */
  sent_at: Instant | null
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    uptime_checks: UptimeCheckTable
    uptime_results: UptimeResultTable
    uptime_days: UptimeDayTable
    uptime_events: UptimeEventTable
  }
}

import { sql } from 'kysely'
import { DAY_MS } from '../../lib/durations.ts'
import { createIncidentCap, type DayCount } from '../../lib/incident-cap.ts'
import type { MomentPage } from '../../lib/moment-page.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { stepOf, toTell } from '../certificate.ts'
import { LIMITS } from '../limits.ts'
import type { Outcome } from '../runner.ts'
import { next, resultOf, type UptimeResult } from '../state.ts'
import type { UptimeCheckTable } from './schema.ts'
import type { Selectable } from 'kysely'

type Row = Selectable<UptimeCheckTable>

export interface ResultPart {
  readonly checkId: number
  readonly part: number
  readonly result: string
  readonly results: number
  readonly longest: number | null
}

export type Results = ReturnType<typeof createResults>

/** What came of asking: written, and read. */
export const createResults = ({ ledger }: { readonly ledger: Ledger }) => ({
  take: takeDue(ledger),

  /** When something is due next; null when nothing is asked. */
  nextAt: async (): Promise<number | null> => {
    const row = await ledger.db
      .selectFrom('uptime_checks')
      .select((eb) => eb.fn.min('next_at').as('next'))
      .executeTakeFirst()
    return row?.next ?? null
  },

  /** @returns whether something is to be told */
  record: (id: number, outcome: Outcome, at: number, isSick: boolean): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      // As it is now: it may have been changed or deleted while it was asked.
      const row = await transaction
        .selectFrom('uptime_checks')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row === undefined ? false : recordOne(transaction, row, outcome, { at, isSick })
    }),

  /** Asks at an instant, if not before: an hour is long for somebody of whom nothing is known. */
  askAgain: async (id: number, at: number): Promise<void> => {
    await ledger.db
      .updateTable('uptime_checks')
      .set({ next_at: at })
      .where('id', '=', id)
      .where('next_at', '>', at)
      .execute()
  },

  /** Newest first; one more than the page holds when there are more. */
  list: (checkId: number, { behind, limit }: MomentPage) =>
    ledger.db
      .selectFrom('uptime_results')
      .selectAll()
      .where('check_id', '=', checkId)
      .$if(behind !== null, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('at', 'id'), '<', tuple(behind?.at ?? 0, behind?.id ?? 0)),
        ),
      )
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute(),

  /** Milliseconds that the middle of the last good answers took; null where none says it. */
  typical: async (checkId: number): Promise<number | null> => {
    const rows = await ledger.db
      .selectFrom('uptime_results')
      .select('total_ms')
      .where('check_id', '=', checkId)
      .where('result', '=', 'up')
      .orderBy('at', 'desc')
      .limit(TYPICAL)
      .execute()
    const times = rows.flatMap(({ total_ms }) => (total_ms === null ? [] : [total_ms]))
    return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? null
  },

  /** Results by part of a time, and by what they were. */
  parts: async (
    checkIds: readonly number[],
    { from, partMs, until }: { readonly from: number; readonly until: number; readonly partMs: number },
  ): Promise<readonly ResultPart[]> => {
    const part = sql<number>`(at - ${sql.lit(from)}) / ${sql.lit(partMs)}`
    const rows = await ledger.db
      .selectFrom('uptime_results')
      .select([
        'check_id',
        'result',
        part.as('part'),
        (eb) => eb.fn.countAll<number>().as('results'),
        (eb) => eb.fn.max('total_ms').as('longest'),
      ])
      .where('check_id', 'in', [...checkIds, 0])
      .where('at', '>=', from)
      .where('at', '<', until)
      .groupBy(['check_id', 'result', part])
      .execute()
    return rows.map(({ check_id: checkId, ...row }) => ({ checkId, ...row }))
  },
})

const TYPICAL = 21

const DAY_COLUMNS = { up: 'up', down: 'down', unknown: 'unknown' } as const satisfies Record<UptimeResult, string>

const recordOne = async (
  transaction: LedgerTransaction,
  row: Row,
  { answer, failure }: Outcome,
  { at, isSick }: { readonly at: number; readonly isSick: boolean },
): Promise<boolean> => {
  const result = resultOf(failure, isSick)
  const before = {
    status: row.status,
    failuresInRow: row.failures_in_row,
    oksInRow: row.oks_in_row,
    incidentSince: row.incident_since,
  }
  const { change, state } = next(before, result, at, { failures: row.failures_needed, recovery: row.oks_needed })
  const endsAt = answer?.certificateEndsAt ?? null
  const step = endsAt === null ? null : toTell(row.certificate_step, stepOf(endsAt, at))
  const isMuted = row.is_muted === 1
  let incidents: DayCount = { day: row.incident_day, count: row.incident_count }
  const isOver = row.has_issue === 1 && result === 'up' && state.status === 'up'
  const isRenewed = step === 'over'
  const isNew = change === 'down' || (change === 'still down' && row.has_issue === 0)
  const since = state.failuresInRow > 1 ? state.incidentSince : null
  const isDown = isNew && !isMuted && INCIDENTS.mayTell(incidents, at, since)
  if (isDown) incidents = INCIDENTS.after(incidents, at)
  const isEnding = typeof step === 'number' && !isMuted && INCIDENTS.mayTell(incidents, at, null)
  if (isEnding) incidents = INCIDENTS.after(incidents, at)
  const reasonOf = (reason: string): string => [reason, INCIDENTS.note(incidents, at)].join(' ').trim()
  const events: { kind: string; about: string; title: string; reason: string }[] = [
    ...(isDown ? [{ kind: 'failed', about: 'address', title: 'Down', reason: reasonOf(failure?.reason ?? '') }] : []),
    ...(isOver ? [{ kind: 'over', about: 'address', title: 'Up', reason: '' }] : []),
    ...(isEnding
      ? [
          {
            kind: 'failed',
            about: 'certificate',
            title: 'Certificate ends',
            reason: reasonOf(endsIn(endsAt ?? at, at)),
          },
        ]
      : []),
    ...(isRenewed ? [{ kind: 'over', about: 'certificate', title: 'Certificate renewed', reason: '' }] : []),
  ]
  await transaction
    .updateTable('uptime_checks')
    .set({
      status: state.status,
      failures_in_row: state.failuresInRow,
      oks_in_row: state.oksInRow,
      incident_since: state.incidentSince,
      has_issue: isDown ? 1 : isOver ? 0 : row.has_issue,
      last_failure: result === 'up' ? '' : (failure?.reason ?? ''),
      last_asked_at: at,
      ...(endsAt === null ? {} : { certificate_ends_at: endsAt }),
      incident_day: incidents.day,
      incident_count: incidents.count,
      // What was not told is told when somebody wants to hear again, or tomorrow.
      ...(isRenewed ? { certificate_step: null } : isEnding ? { certificate_step: step } : {}),
    })
    .where('id', '=', row.id)
    .execute()
  const times = answer?.times
  await transaction
    .insertInto('uptime_results')
    .values({
      check_id: row.id,
      at,
      result,
      failure_kind: failure?.kind ?? '',
      reason: failure?.reason.slice(0, REASON_CHARACTERS) ?? '',
      http_status: answer?.status ?? null,
      dns_ms: times?.resolved ?? null,
      connect_ms: times?.connected ?? null,
      tls_ms: times?.secured ?? null,
      first_byte_ms: times?.firstByte ?? null,
      total_ms: times?.total ?? null,
    })
    .execute()
  await countDay(transaction, row.id, result, at)
  for (const event of events) {
    await transaction
      .insertInto('uptime_events')
      .values({ ...event, check_id: row.id, at, sent_at: null })
      .execute()
  }
  return events.length > 0
}

/** So many a day, and those that last. */
const INCIDENTS = createIncidentCap(LIMITS.UPTIME_INCIDENTS_PER_DAY, LIMITS.UPTIME_LASTING_MS)

const REASON_CHARACTERS = 500

const endsIn = (endsAt: number, at: number): string => {
  const days = Math.max(0, Math.floor((endsAt - at) / DAY_MS))
  return `Its certificate ends in ${days === 1 ? '1 day' : `${days} days`}, on ${new Date(endsAt).toISOString().slice(0, 10)}.`
}

const countDay = async (
  transaction: LedgerTransaction,
  checkId: number,
  result: UptimeResult,
  at: number,
): Promise<void> => {
  const column = DAY_COLUMNS[result]
  await transaction
    .insertInto('uptime_days')
    .values({ check_id: checkId, day: Math.floor(at / DAY_MS), up: 0, down: 0, unknown: 0, [column]: 1 })
    .onConflict((conflict) =>
      conflict.columns(['check_id', 'day']).doUpdateSet({ [column]: sql`${sql.ref(`uptime_days.${column}`)} + 1` }),
    )
    .execute()
}

/**
 * Checks that are due, which are due again an interval later from now on: whoever stops meanwhile asks then. Of each
 * organisation its first one, then the second of each, and so on, up to the share of each.
 */
const takeDue =
  (ledger: Ledger) =>
  (
    now: number,
    {
      busy = [],
      counts = new Map(),
      isClockBack = false,
      limit,
    }: {
      readonly limit: number
      /** The clock may have been set back since it was looked last: what is due an interval from now and later is due now. */
      readonly isClockBack?: boolean
      /** Those that are being asked, */
      readonly busy?: readonly number[]
      /** and how many places their organisations have. */
      readonly counts?: ReadonlyMap<number, number>
    },
  ): Promise<Row[]> =>
    ledger.transaction(async (transaction) => {
      const share = LIMITS.UPTIME_AT_ONCE_PER_ORGANIZATION
      const full = [...counts].filter(([, count]) => count >= share).map(([organizationId]) => organizationId)
      // None is due later than an interval from now, and nobody waits until a clock that was set back has come around. To
      // look for those reads every check, so it is a statement of its own: what is due is found by its index.
      if (isClockBack) {
        await transaction
          .updateTable('uptime_checks')
          .set({ next_at: now })
          .where('next_at', '>', sql<number>`${now} + interval_seconds * 1000`)
          .execute()
      }
      const ranked = transaction
        .selectFrom('uptime_checks')
        .selectAll()
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('organization_id').orderBy('next_at').orderBy('id'))
            .as('turn'),
        )
        .where('next_at', '<=', now)
        .where('id', 'not in', [...busy, 0])
        .where('organization_id', 'not in', [...full, 0])
      const rows = await transaction
        .selectFrom(ranked.as('ranked'))
        .selectAll()
        .where('turn', '<=', share)
        .orderBy('turn')
        .orderBy('next_at')
        .execute()
      const taken: Row[] = []
      for (const { turn, ...row } of rows) {
        if (taken.length >= limit) break
        if (turn + (counts.get(row.organization_id) ?? 0) > share) continue
        const { numUpdatedRows } = await transaction
          .updateTable('uptime_checks')
          .set({ next_at: now + row.interval_seconds * 1000 })
          .where('id', '=', row.id)
          // Another server at the same ledger may have taken it.
          .where('next_at', '=', row.next_at)
          .executeTakeFirst()
        if (numUpdatedRows > 0n) taken.push(row)
      }
      return taken
    })

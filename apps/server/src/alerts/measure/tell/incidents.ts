import type { Period } from '../../../search/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../../storage/index.ts'
import { lastIncidents, openIncident, type Incident } from '../../ledger/incidents.ts'
import { oneAtATime } from '../../ledger/one-at-a-time.ts'
import { endedFor, type EndReason } from '../../ledger/untold-ends.ts'
import type { AlertRule } from '../../rule.ts'
import { GROUP } from '../../telling/thread.ts'
import { endOf } from '../minute.ts'
import type { Outcome } from '../outcome.ts'
import { headlineOf } from './message.ts'

/** Incidents of groups, as the steps of their courses change them. */

export const subjectOf = ({ key }: Outcome): string => `${GROUP}${key}`

export const incidentsOf = (transaction: LedgerTransaction, outcome: Outcome): Promise<readonly Incident[]> =>
  lastIncidents(transaction, outcome.rule.id, subjectOf(outcome))

export const beginIncident = async (
  transaction: LedgerTransaction,
  outcome: Outcome,
  rule: AlertRule,
): Promise<number> => {
  const at = endOf(outcome.minute)
  const id = await openIncident(transaction, {
    organizationId: rule.organizationId,
    rule,
    subject: subjectOf(outcome),
    issueId: null,
    projectId: outcome.projectId,
    headline: headlineOf({ outcome, rule, startedAt: at }),
    state: 'firing',
    at,
    factId: null,
  })
  await transaction
    .updateTable('alert_incidents')
    .set({ group_values: JSON.stringify(outcome.group) })
    .where('id', '=', id)
    .execute()
  return id
}

const stateOf = ({ course }: Outcome): Incident['state'] => {
  if (course.isFlapping) return 'flapping'
  return course.phase === 'recovering' ? 'recovering' : course.phase === 'firing' ? 'firing' : 'over'
}

/** How the incident stands after a minute. */
export const changeIncident = async (
  transaction: LedgerTransaction,
  id: number,
  outcome: Outcome,
  { dueAt, toldAt }: { readonly toldAt?: number; readonly dueAt?: number | null },
): Promise<void> => {
  const at = endOf(outcome.minute)
  const state = stateOf(outcome)
  const { limit, peak, unit } = outcome
  await transaction
    .updateTable('alert_incidents')
    .set({
      state,
      changed_at: at,
      ended_at: state === 'over' ? at : null,
      unit,
      ...(peak === null ? {} : { peak }),
      ...(limit === null || state === 'over' ? {} : { value_limit: limit }),
      ...(toldAt === undefined ? {} : { told_at: toldAt }),
      ...(dueAt === undefined ? {} : { due_at: dueAt }),
    })
    .where('id', '=', id)
    .execute()
}

/** When rules fired, as far as that ended after a time. */
export const incidentPeriods = async (
  db: Pick<LedgerTransaction, 'selectFrom'>,
  ruleIds: readonly number[],
  since: number,
): Promise<ReadonlyMap<number, readonly Period[]>> => {
  const periods = new Map<number, Period[]>()
  for (const part of chunks(ruleIds, RULES_AT_ONCE)) {
    const rows = await db
      .selectFrom('alert_incidents')
      .select(['rule_id', 'started_at', 'ended_at'])
      .where('rule_id', 'in', part)
      .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>', since)]))
      .execute()
    for (const { ended_at: to, rule_id: id, started_at: from } of rows) {
      periods.set(id, [...(periods.get(id) ?? []), { from, to: to ?? Infinity }])
    }
  }
  return periods
}

/** Groups that could not be told when they began to fire, and may be now: by rule and key. */
export const dueGroups = async (
  db: Pick<LedgerTransaction, 'selectFrom'>,
  now: number,
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('alert_incidents')
    .select(['rule_id', 'subject'])
    .where('due_at', '<=', now)
    .where('ended_at', 'is', null)
    .where('fact_id', 'is', null)
    .execute()
  return new Set(rows.map(({ rule_id: ruleId, subject }) => `${ruleId} ${subject.slice(GROUP.length)}`))
}

const RULES_AT_ONCE = 400

/** In a turn of its own: whoever tells of an incident meanwhile would write it as going on again. */
type Ending = Pick<Ledger, 'dialect' | 'transaction'>

/** Rules that are watched no more, or measure something else: what they fired for is over. */
export const endIncidentsOfRules = async (
  { dialect, transaction }: Ending,
  ruleIds: readonly number[],
  why: EndReason,
  now: number,
): Promise<void> => {
  if (ruleIds.length === 0) return
  await transaction(async (own) => {
    await oneAtATime(own, dialect)
    await own
      .updateTable('alert_incidents')
      .set(endedFor(why, now))
      .where('rule_id', 'in', ruleIds)
      .where('subject', 'like', `${GROUP}%`)
      .where('ended_at', 'is', null)
      .execute()
  })
}

/** Groups of a rule that are about what is there no more. */
export const endIncidentsOfGroups = async (
  { dialect, transaction }: Ending,
  { keys, ruleId }: { readonly ruleId: number; readonly keys: readonly string[] },
  why: EndReason,
  now: number,
): Promise<void> => {
  if (keys.length === 0) return
  await transaction(async (own) => {
    await oneAtATime(own, dialect)
    for (const part of chunks(keys, ROWS_PER_STATEMENT)) {
      await own
        .updateTable('alert_incidents')
        .set(endedFor(why, now))
        .where('rule_id', '=', ruleId)
        .where(
          'subject',
          'in',
          part.map((key) => `${GROUP}${key}`),
        )
        .where('ended_at', 'is', null)
        .execute()
    }
  })
}

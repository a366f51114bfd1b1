import type { Selectable } from 'kysely'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import type { AlertIncidentTable, IncidentState } from './schema.ts'

export type Incident = Selectable<AlertIncidentTable>

/** As many as tell whether one flaps. */
const LATELY = 8

/**
 * The last incidents of a rule about one thing, the newest first.
 *
 * @param issueId the issue that it is: what was begun by one that was merged into it is one of it
 */
export const lastIncidents = (
  transaction: LedgerTransaction,
  ruleId: number,
  subject: string,
  issueId: number | null = null,
): Promise<readonly Incident[]> =>
  transaction
    .selectFrom('alert_incidents')
    .selectAll()
    .where('rule_id', '=', ruleId)
    .where(({ eb, or }) =>
      or([eb('subject', '=', subject), ...(issueId === null ? [] : [eb('issue_id', '=', issueId)])]),
    )
    .orderBy('id', 'desc')
    .limit(LATELY)
    .execute()

export interface NewIncident {
  readonly organizationId: number
  readonly rule: { readonly id: number; readonly draft: { readonly name: string } }
  readonly subject: string
  readonly issueId: number | null
  readonly projectId: number | null
  readonly headline: string
  readonly state: IncidentState
  readonly at: number
  /** What began it; null for what is measured. */
  readonly factId: number | null
}

export const openIncident = async (transaction: LedgerTransaction, incident: NewIncident): Promise<number> => {
  const { at, factId, headline, issueId, organizationId, projectId, rule, state, subject } = incident
  const { id } = await transaction
    .insertInto('alert_incidents')
    .values({
      organization_id: organizationId,
      rule_id: rule.id,
      rule_name: rule.draft.name,
      subject,
      group_values: '[]',
      issue_id: issueId,
      project_id: projectId,
      headline,
      state,
      started_at: at,
      ended_at: state === 'over' ? at : null,
      told_at: null,
      changed_at: at,
      due_at: null,
      fact_id: factId,
      peak: null,
      value_limit: null,
      unit: null,
      untold_end: null,
      swallowed: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export interface IncidentChange {
  readonly changedAt: number
  readonly toldAt?: number
  /** When it may be told; null for never. */
  readonly dueAt?: number | null
  readonly swallowed?: number
}

/** Something of it was told, or kept back. */
export const noteIncident = async (
  transaction: LedgerTransaction,
  id: number,
  { changedAt, dueAt, swallowed = 0, toldAt }: IncidentChange,
): Promise<void> => {
  await transaction
    .updateTable('alert_incidents')
    .set((row) => ({
      changed_at: changedAt,
      ...(toldAt === undefined ? {} : { told_at: toldAt }),
      ...(dueAt === undefined ? {} : { due_at: dueAt }),
      ...(swallowed === 0 ? {} : { swallowed: row('swallowed', '+', swallowed) }),
    }))
    .where('id', '=', id)
    .execute()
}

/** It was to be told, and was not to all: it may be when the time has come, if it is not over by then. Who was told was. */
export const putOff = async (transaction: LedgerTransaction, id: number, dueAt: number | null): Promise<void> => {
  await transaction
    .updateTable('alert_incidents')
    .set(({ case: when, exists, ref, selectFrom }) => ({
      due_at: dueAt,
      told_at: when()
        .when(
          exists(
            selectFrom('alert_messages')
              .select('alert_messages.id')
              .whereRef('alert_messages.incident_id', '=', 'alert_incidents.id'),
          ),
        )
        .then(ref('told_at'))
        .else(null)
        .end(),
    }))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/** What its mute kept from being told may be told now. */
export const dueNow = async (
  db: Pick<LedgerTransaction, 'updateTable'>,
  ruleId: number,
  now: number,
): Promise<void> => {
  await db
    .updateTable('alert_incidents')
    .set({ due_at: now })
    .where('rule_id', '=', ruleId)
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('told_at', 'is', null), where('due_at', 'is not', null)]))
    .where('state', '!=', 'flapping')
    .execute()
}

/** Incidents that could not be told when they began, and may be now. */
export const dueIncidents = (
  db: Pick<LedgerTransaction, 'selectFrom'>,
  now: number,
  limit: number,
): Promise<readonly Incident[]> =>
  db
    .selectFrom('alert_incidents')
    .selectAll()
    .where('due_at', '<=', now)
    .where('ended_at', 'is', null)
    .where('fact_id', 'is not', null)
    .orderBy('due_at')
    .limit(limit)
    .execute()

/** When the next of them is due; `Infinity` for none. */
export const nextDueAt = async (db: Pick<LedgerTransaction, 'selectFrom'>): Promise<number> => {
  const row = await db
    .selectFrom('alert_incidents')
    .select('due_at')
    .where('due_at', 'is not', null)
    .where('ended_at', 'is', null)
    .where('fact_id', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? Infinity
}

/** Open incidents of an issue become those of another one, of each rule one at most. The others stay. */
export const moveIncidents = async (
  transaction: LedgerTransaction,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> => {
  const known = await transaction
    .selectFrom('alert_incidents')
    .select('rule_id')
    .where('issue_id', '=', to)
    .where('ended_at', 'is', null)
    .execute()
  const open = await transaction
    .selectFrom('alert_incidents')
    .select(['id', 'rule_id'])
    .where('issue_id', '=', from)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
  const rules = new Set(known.map(({ rule_id: id }) => id))
  const going: number[] = []
  for (const { id, rule_id: ruleId } of open) {
    if (rules.has(ruleId)) continue
    rules.add(ruleId)
    going.push(id)
  }
  for (const part of chunks(going, ROWS_PER_STATEMENT)) {
    await transaction.updateTable('alert_incidents').set({ issue_id: to }).where('id', 'in', part).execute()
  }
}

/** The issue that they began with stands for itself again. */
export const returnIncidents = async (
  transaction: LedgerTransaction,
  { from, subject, to }: { readonly from: number; readonly to: number; readonly subject: string },
): Promise<void> => {
  await transaction
    .updateTable('alert_incidents')
    .set({ issue_id: to })
    .where('issue_id', '=', from)
    .where('subject', '=', subject)
    .execute()
}

/** Those of issues that flapped and did nothing for a while: the next thing is news again. */
export const calmIncidents = async (
  transaction: LedgerTransaction,
  now: number,
): Promise<readonly (Incident & { readonly isClosed: boolean })[]> => {
  const rows = await transaction
    .selectFrom('alert_incidents')
    .innerJoin('issues', 'issues.id', 'alert_incidents.issue_id')
    .selectAll('alert_incidents')
    .select('issues.status')
    .where('alert_incidents.state', '=', 'flapping')
    .where('alert_incidents.ended_at', 'is', null)
    .where('alert_incidents.changed_at', '<=', now - LIMITS.ALERT_FLAPPING_CALM_MS)
    .execute()
  for (const { id, status } of rows) {
    // Of an issue that nobody closed the incident goes on.
    const state = status === 'unresolved' ? { state: 'firing' as const } : { state: 'over' as const, ended_at: now }
    await transaction
      .updateTable('alert_incidents')
      .set({ ...state, changed_at: now })
      .where('id', '=', id)
      .execute()
  }
  return rows.map(({ status, ...incident }) => ({ ...incident, isClosed: status !== 'unresolved' }))
}

import type { Selectable } from 'kysely'
import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import type { AlertIncidentTable, IncidentState } from './schema.ts'

export type Incident = Selectable<AlertIncidentTable>

/** As many as tell whether one flaps. */
const LATELY = 8

/** The last incidents of a rule about one thing, the newest first. */
export const lastIncidents = (
  transaction: LedgerTransaction,
  ruleId: number,
  subject: string,
): Promise<readonly Incident[]> =>
  transaction
    .selectFrom('alert_incidents')
    .selectAll()
    .where('rule_id', '=', ruleId)
    .where('subject', '=', subject)
    .orderBy('id', 'desc')
    .limit(LATELY)
    .execute()

/** How often they began or were over lately. */
export const changesLately = (incidents: readonly Incident[], now: number): number =>
  incidents
    .flatMap(({ started_at: started, ended_at: ended }) => [started, ended])
    .filter((at) => at !== null && at <= now && at > now - LIMITS.ALERT_FLAPPING_WITHIN_MS).length

export interface NewIncident {
  readonly organizationId: number
  readonly rule: { readonly id: number; readonly draft: { readonly name: string } }
  readonly subject: string
  readonly issueId: number | null
  readonly projectId: number | null
  readonly headline: string
  readonly state: IncidentState
  readonly at: number
}

export const openIncident = async (transaction: LedgerTransaction, incident: NewIncident): Promise<number> => {
  const { at, headline, issueId, organizationId, projectId, rule, state, subject } = incident
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
      peak: null,
      value_limit: null,
      unit: null,
      swallowed: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Something of it was told, or kept back. */
export const noteIncident = async (
  transaction: LedgerTransaction,
  id: number,
  change: { readonly toldAt?: number; readonly changedAt?: number; readonly swallowed?: number },
): Promise<void> => {
  const { changedAt, swallowed = 0, toldAt } = change
  await transaction
    .updateTable('alert_incidents')
    .set((row) => ({
      ...(toldAt === undefined ? {} : { told_at: toldAt }),
      ...(changedAt === undefined ? {} : { changed_at: changedAt }),
      ...(swallowed === 0 ? {} : { swallowed: row('swallowed', '+', swallowed) }),
    }))
    .where('id', '=', id)
    .execute()
}

/** Open incidents of an issue are over; those that flap are looked at when they are calm. */
export const endIncidentsOf = async (
  transaction: LedgerTransaction,
  issueId: number,
  at: number,
): Promise<readonly Incident[]> => {
  await transaction
    .updateTable('alert_incidents')
    .set({ changed_at: at })
    .where('issue_id', '=', issueId)
    .where('state', '=', 'flapping')
    .execute()
  return transaction
    .updateTable('alert_incidents')
    .set({ state: 'over', ended_at: at, changed_at: at })
    .where('issue_id', '=', issueId)
    .where('ended_at', 'is', null)
    .where('state', '!=', 'flapping')
    .returningAll()
    .execute()
}

/** Those that flapped and did nothing for a while are over: the next time is news again. Answers how many. */
export const calmIncidents = async (db: Pick<LedgerTransaction, 'updateTable'>, now: number): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('alert_incidents')
    .set({ state: 'over', ended_at: now })
    .where('state', '=', 'flapping')
    .where('changed_at', '<=', now - LIMITS.ALERT_FLAPPING_CALM_MS)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

import { sql, type Selectable } from 'kysely'
import { formatShortId } from '../../issues/index.ts'
import type { MomentPage } from '../../lib/moment-page.ts'
import type { Ledger } from '../../storage/index.ts'
import type { AlertEvaluationTable, AlertIncidentTable, AlertMessageTable } from './schema.ts'

export type EvaluationRow = Selectable<AlertEvaluationTable>
export type IncidentRow = Selectable<AlertIncidentTable>

export interface NamedIssue {
  readonly id: string
  readonly shortId: string
  readonly title: string
}

/** Issues by id, as lists name them. */
export const nameIssues = async (
  { db }: Ledger,
  organizationId: number,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, NamedIssue>> => {
  const rows = await db
    .selectFrom('issues')
    .innerJoin('projects', 'projects.id', 'issues.project_id')
    .select(['issues.id', 'issues.number', 'issues.title', 'projects.slug'])
    .where('issues.organization_id', '=', organizationId)
    .where('issues.id', 'in', [0, ...new Set(ids.filter((id) => id !== null))])
    .execute()
  return new Map(
    rows.map(({ id, number, slug, title }) => [id, { id: String(id), shortId: formatShortId(slug, number), title }]),
  )
}

/** What a rule came to, newest first: up to one more than the page holds. */
export const readEvaluations = (
  { db }: Ledger,
  asked: {
    readonly organizationId: number
    readonly ruleId: number
    /** Also those that came to nothing. */
    readonly all: boolean
    readonly page: MomentPage
  },
): Promise<EvaluationRow[]> =>
  db
    .selectFrom('alert_evaluations')
    .selectAll()
    .where('organization_id', '=', asked.organizationId)
    .where('rule_id', '=', asked.ruleId)
    .$if(!asked.all, (query) => query.where('decision', 'not in', ['quiet', 'still', 'pending']))
    .$if(asked.page.behind !== null, (query) => query.where('id', '<', asked.page.behind?.id ?? 0))
    .orderBy('id', 'desc')
    .limit(asked.page.limit + 1)
    .execute()

/** What rules came to for an issue, newest first. */
export const readEvaluationsOfIssue = (
  { db }: Ledger,
  organizationId: number,
  issueId: number,
  limit: number,
): Promise<EvaluationRow[]> =>
  db
    .selectFrom('alert_evaluations')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const readIncidents = (
  { db }: Ledger,
  asked: {
    readonly organizationId: number
    readonly ruleId: number | null
    readonly issueId: number | null
    readonly isOpen: boolean
    readonly projectIds: readonly number[] | null
    readonly from: number | null
    readonly until: number | null
    readonly page: MomentPage
  },
): Promise<IncidentRow[]> => {
  const { from, issueId, projectIds, ruleId, until } = asked
  return db
    .selectFrom('alert_incidents')
    .selectAll()
    .where('organization_id', '=', asked.organizationId)
    .$if(ruleId !== null, (query) => query.where('rule_id', '=', ruleId ?? 0))
    .$if(issueId !== null, (query) => query.where('issue_id', '=', issueId))
    .$if(asked.isOpen, (query) => query.where('ended_at', 'is', null))
    .$if(projectIds !== null, (query) => query.where('project_id', 'in', [0, ...(projectIds ?? [])]))
    .$if(from !== null, (query) => query.where('started_at', '>=', from ?? 0))
    .$if(until !== null, (query) => query.where('started_at', '<', until ?? 0))
    .$if(asked.page.behind !== null, (query) => query.where('id', '<', asked.page.behind?.id ?? 0))
    .orderBy('id', 'desc')
    .limit(asked.page.limit + 1)
    .execute()
}

/** Which of these rules are muted: nobody hears of what they fire for. */
export const mutedAmong = async (
  { db }: Ledger,
  organizationId: number,
  ruleIds: readonly number[],
  now: number,
): Promise<ReadonlySet<number>> => {
  const rows = await db
    .selectFrom('alert_rules')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [0, ...new Set(ruleIds)])
    .where((where) => where.or([where('is_muted', '=', 1), where('muted_until', '>', now)]))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export interface DeliveryRow extends Pick<Selectable<AlertMessageTable>, 'id' | 'incident_id' | 'receiver' | 'stage'> {
  readonly sent_at: number
  /** Of a person. */
  readonly user_id: number | null
  readonly person: string | null
  /** The person has it in the inbox, or in a mail. */
  readonly item_id: number | null
  readonly channel_id: number | null
  readonly channel: string | null
  readonly kind: string | null
  readonly state: string | null
  readonly error: string | null
}

/** Messages of incidents, and what became of them. */
export const readDeliveries = async (
  { db }: Ledger,
  organizationId: number,
  incidentIds: readonly number[],
): Promise<readonly DeliveryRow[]> => {
  if (incidentIds.length === 0) return []
  return db
    .selectFrom('alert_messages')
    .leftJoin('outbox', (join) =>
      join
        .onRef('outbox.key', '=', 'alert_messages.key')
        .onRef('outbox.organization_id', '=', 'alert_messages.organization_id'),
    )
    .leftJoin('channels', 'channels.id', 'outbox.channel_id')
    .leftJoin('users', (join) => join.on('alert_messages.receiver', '=', sql`'user:' || cast(users.id as text)`))
    .leftJoin('notice_items', (join) =>
      join.onRef('notice_items.user_id', '=', 'users.id').onRef('notice_items.key', '=', 'alert_messages.key'),
    )
    .select(['users.id as user_id', 'users.name as person', 'notice_items.id as item_id'])
    .select(['alert_messages.id', 'alert_messages.incident_id', 'alert_messages.receiver', 'alert_messages.stage'])
    .select(['alert_messages.sent_at', 'outbox.channel_id', 'channels.name as channel', 'channels.kind'])
    .select(['outbox.state', 'outbox.error'])
    .where('alert_messages.organization_id', '=', organizationId)
    .where('alert_messages.incident_id', 'in', incidentIds)
    .orderBy('alert_messages.id')
    .execute()
}

import type { AlertAction } from '@firsthand/contract'
import { formatShortId } from '../../issues/index.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { channelKey, receiverOfKey, userKey } from '../telling/audience.ts'
import { worstLevel } from '../telling/levels.ts'
import type { TakenGroup, TakenLine } from './groups.ts'
import { readDraft } from './read-draft.ts'

/** Firings of a group that came when it named as many as it may. */

/** Which incidents a group is of; null where it tells how it went on with those that were told. */
const watchedBy = (topic: string): { readonly column: 'rule_id' | 'project_id'; readonly id: number } | null => {
  const [, what, id] = /^(rule|deploy):(\d+)$/.exec(topic) ?? []
  return what === undefined ? null : { column: what === 'rule' ? 'rule_id' : 'project_id', id: Number(id) }
}

/** Receivers whom a rule tells all that it fires: a channel, or a person by name or by a team. */
const receiverIn = async (
  transaction: LedgerTransaction,
  organizationId: number,
  receiver: string,
): Promise<(action: AlertAction) => boolean> => {
  const known = receiverOfKey(receiver, 'alert')
  const userId = known !== null && 'userId' in known ? known.userId : null
  const teams =
    userId === null
      ? []
      : await transaction
          .selectFrom('team_members')
          .innerJoin('members', 'members.id', 'team_members.member_id')
          .select('team_members.team_id')
          .where('members.organization_id', '=', organizationId)
          .where('members.user_id', '=', userId)
          .execute()
  const teamIds = new Set(teams.map(({ team_id: id }) => String(id)))
  return (action) => {
    if (action.from === 'worse') return false
    if (action.kind === 'channel') return channelKey(Number(action.channelId)) === receiver
    if (action.id === null) return false
    return action.target === 'team' ? teamIds.has(action.id) : userKey(Number(action.id)) === receiver
  }
}

/** Whose an issue was is not known any more: of rules that tell owners alone nothing is named. */
const rulesFor = async (
  transaction: LedgerTransaction,
  { organizationId, receiver }: Pick<TakenGroup, 'organizationId' | 'receiver'>,
  ruleId: number | null,
): Promise<readonly number[]> => {
  const rows = await transaction
    .selectFrom('alert_rules')
    .select(['id', 'name', 'draft'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .$if(ruleId !== null, (query) => query.where('id', '=', ruleId ?? 0))
    .execute()
  const isTold = await receiverIn(transaction, organizationId, receiver)
  return rows.flatMap(({ draft, id, name }) => (readDraft(draft, { name }).draft?.actions.some(isTold) ? [id] : []))
}

type Watched = NonNullable<ReturnType<typeof watchedBy>>

type Asked = Pick<TakenGroup, 'openedAt' | 'organizationId' | 'receiver'>

/** Incidents that were told, of which nothing waits to be told to this receiver. */
const incidentsOf = (transaction: LedgerTransaction, { organizationId, receiver }: Asked, watched: Watched) =>
  transaction
    .selectFrom('alert_incidents')
    .innerJoin('organizations', 'organizations.id', 'alert_incidents.organization_id')
    .leftJoin('issues', 'issues.id', 'alert_incidents.issue_id')
    .leftJoin('projects', 'projects.id', 'alert_incidents.project_id')
    .select(['alert_incidents.id', 'alert_incidents.rule_id', 'alert_incidents.project_id'])
    .select(['alert_incidents.headline', 'alert_incidents.issue_id', 'organizations.slug as organization'])
    .select(['issues.title', 'issues.level', 'issues.number', 'issues.priority'])
    .select(['projects.slug as project', 'projects.name as project_name'])
    .where('alert_incidents.organization_id', '=', organizationId)
    .where(`alert_incidents.${watched.column}`, '=', watched.id)
    .where('alert_incidents.told_at', 'is not', null)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('alert_gathered')
            .innerJoin('alert_gatherings', 'alert_gatherings.id', 'alert_gathered.gathering_id')
            .select('alert_gathered.id')
            .whereRef('alert_gathered.incident_id', '=', 'alert_incidents.id')
            .where('alert_gatherings.receiver', '=', receiver),
        ),
      ),
    )
    .orderBy('alert_incidents.id')

/** Those that began since the group did, go on or were over at once, and that this receiver was not told of. */
const begunOf = async (
  transaction: LedgerTransaction,
  asked: Asked,
  watched: Watched,
  most: number,
): Promise<readonly IncidentRow[]> => {
  const { openedAt, receiver } = asked
  const ruleIds = await rulesFor(transaction, asked, watched.column === 'rule_id' ? watched.id : null)
  if (ruleIds.length === 0) return []
  // What happened is a little older than the moment in which it is taken.
  const since = openedAt - LIMITS.ALERT_GATHER_LONG_MS
  return (
    incidentsOf(transaction, asked, watched)
      .where('alert_incidents.rule_id', 'in', ruleIds)
      .where('alert_incidents.started_at', '>=', since)
      .where((where) =>
        where.or([
          where('alert_incidents.ended_at', 'is', null),
          where('alert_incidents.ended_at', '=', where.ref('alert_incidents.started_at')),
        ]),
      )
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('alert_messages')
              .select('alert_messages.id')
              .whereRef('alert_messages.incident_id', '=', 'alert_incidents.id')
              .where('alert_messages.receiver', '=', receiver),
          ),
        ),
      )
      // Another rule may have told the same, or have it wait.
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('alert_incidents as same')
              .innerJoin('alert_messages', 'alert_messages.incident_id', 'same.id')
              .select('same.id')
              .whereRef('same.issue_id', '=', 'alert_incidents.issue_id')
              .where('same.started_at', '>=', since)
              .where('alert_messages.receiver', '=', receiver),
          ),
        ),
      )
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('alert_incidents as same')
              .innerJoin('alert_gathered', 'alert_gathered.incident_id', 'same.id')
              .innerJoin('alert_gatherings', 'alert_gatherings.id', 'alert_gathered.gathering_id')
              .select('same.id')
              .whereRef('same.issue_id', '=', 'alert_incidents.issue_id')
              .where('alert_gatherings.receiver', '=', receiver),
          ),
        ),
      )
      .limit(most)
      .execute()
  )
}

/** Those that this receiver knows of, and that went on since it was told so last. */
const wentOnOf = (
  transaction: LedgerTransaction,
  asked: Asked,
  watched: Watched,
  most: number,
): Promise<readonly IncidentRow[]> =>
  incidentsOf(transaction, asked, watched)
    .where('alert_incidents.ended_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('alert_messages')
          .select('alert_messages.id')
          .whereRef('alert_messages.incident_id', '=', 'alert_incidents.id')
          .where('alert_messages.receiver', '=', asked.receiver),
      ),
    )
    .where('alert_incidents.id', 'in', ({ selectFrom }) =>
      selectFrom('alert_evaluations')
        .select('alert_evaluations.incident_id')
        .where('alert_evaluations.evaluated_at', '>=', asked.openedAt)
        .where('alert_evaluations.decision', 'in', ['update', 'worse'])
        .where('alert_evaluations.incident_id', 'is not', null)
        .where(({ exists, not, selectFrom: from }) =>
          not(
            exists(
              from('alert_messages as told')
                .select('told.id')
                .whereRef('told.incident_id', '=', 'alert_evaluations.incident_id')
                .whereRef('told.sent_at', '>=', 'alert_evaluations.evaluated_at')
                .where('told.receiver', '=', asked.receiver),
            ),
          ),
        )
        .$castTo<{ incident_id: number }>(),
    )
    .limit(most)
    .execute()

/**
 * As lines: what began and this receiver was not told of, and how it went on with what the receiver knows.
 *
 * @param taken all that is told to this receiver now
 */
export const nameUnnamed = async (
  transaction: LedgerTransaction,
  group: Omit<TakenGroup, 'lines'>,
  taken: readonly TakenLine[],
  limit: number,
): Promise<readonly TakenLine[]> => {
  const watched = watchedBy(group.topic)
  if (watched === null) return []
  const takenIds = new Set(taken.map(({ incidentId }) => incidentId))
  const takenPaths = new Set(taken.map(({ path }) => path))
  const most = limit + takenIds.size
  const begun = await begunOf(transaction, group, watched, most)
  const wentOn = await wentOnOf(transaction, group, watched, most)
  const { receiver } = group
  const lines = [
    ...begun.map((row) => ({ row, line: lineOf(row, receiver) })),
    ...wentOn.map((row) => ({ row, line: goesOn(lineOf(row, receiver)) })),
  ]
    .filter(({ row }) => !takenIds.has(row.id))
    .map(({ line, row }) => ({ line, isOfIssue: row.issue_id !== null }))
    .filter(({ isOfIssue, line }) => !isOfIssue || !takenPaths.has(line.path))
  const once = new Map(lines.map(({ isOfIssue, line }) => [isOfIssue ? line.path : line.occasion, line]))
  return [...once.values()].slice(0, limit)
}

const goesOn = (line: TakenLine): TakenLine => ({ ...line, text: `${line.text} (it goes on)` })

interface IncidentRow {
  readonly id: number
  readonly rule_id: number
  readonly project_id: number | null
  readonly headline: string
  readonly issue_id: number | null
  readonly organization: string
  readonly project: string | null
  readonly project_name: string | null
  readonly title: string | null
  readonly level: string | null
  readonly number: number | null
  readonly priority: string | null
}

const lineOf = (row: IncidentRow, receiver: string): TakenLine => {
  const { headline, issue_id: issueId, level, number, organization, project } = row
  const below = `/organizations/${organization}`
  const shortId = number === null ? '' : `${formatShortId(project ?? '', number)} `
  return {
    ruleId: row.rule_id,
    incidentId: row.id,
    projectId: row.project_id,
    kind: 'other',
    level: worstLevel(level === null ? [] : [level]),
    name: row.title ?? headline,
    place: row.project_name || project || '',
    text: `${shortId}${headline}`,
    path: issueId === null ? `${below}/alerts/${row.rule_id}` : `${below}/issues/${issueId}`,
    occasion: `incident:${row.id}`,
    isHigh: row.priority === 'high',
    notice: receiver.startsWith('user:') ? 'alert' : null,
    isAgain: false,
  }
}

import { formatShortId } from '../../issues/index.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { worstLevel } from '../telling/levels.ts'
import type { TakenGroup, TakenLine } from './groups.ts'

/** Firings of a group that came when it named as many as it may. */

/** Which incidents a group is of; null where it tells how it went on with those that were told. */
const watchedBy = (topic: string): { readonly column: 'rule_id' | 'project_id'; readonly id: number } | null => {
  const [, what, id] = /^(rule|deploy):(\d+)$/.exec(topic) ?? []
  return what === undefined ? null : { column: what === 'rule' ? 'rule_id' : 'project_id', id: Number(id) }
}

/** As lines: those that began since the group did, go on or were over at once, and that this receiver was not told of. */
export const nameUnnamed = async (
  transaction: LedgerTransaction,
  { id: groupId, lines, openedAt, organizationId, receiver, topic }: TakenGroup,
  limit: number,
): Promise<readonly TakenLine[]> => {
  const watched = watchedBy(topic)
  if (watched === null) return []
  const taken = new Set(lines.map(({ incidentId }) => incidentId))
  const rows = await transaction
    .selectFrom('alert_incidents')
    .innerJoin('organizations', 'organizations.id', 'alert_incidents.organization_id')
    .leftJoin('issues', 'issues.id', 'alert_incidents.issue_id')
    .leftJoin('projects', 'projects.id', 'alert_incidents.project_id')
    .select(['alert_incidents.id', 'alert_incidents.rule_id', 'alert_incidents.project_id'])
    .select(['alert_incidents.headline', 'alert_incidents.issue_id', 'organizations.slug as organization'])
    .select(['issues.title', 'issues.level', 'issues.number', 'issues.priority', 'projects.slug as project'])
    .where('alert_incidents.organization_id', '=', organizationId)
    .where(`alert_incidents.${watched.column}`, '=', watched.id)
    // What happened is a little older than the moment in which it is taken.
    .where('alert_incidents.started_at', '>=', openedAt - LIMITS.ALERT_GATHER_LONG_MS)
    .where('alert_incidents.told_at', 'is not', null)
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
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('alert_gathered')
            .select('alert_gathered.id')
            .whereRef('alert_gathered.incident_id', '=', 'alert_incidents.id')
            .where('alert_gathered.gathering_id', '=', groupId),
        ),
      ),
    )
    .orderBy('alert_incidents.id')
    .limit(limit + taken.size)
    .execute()
  return rows
    .filter(({ id }) => !taken.has(id))
    .slice(0, limit)
    .map((row) => lineOf(row, receiver))
}

const lineOf = (
  row: {
    readonly id: number
    readonly rule_id: number
    readonly project_id: number | null
    readonly headline: string
    readonly issue_id: number | null
    readonly organization: string
    readonly project: string | null
    readonly title: string | null
    readonly level: string | null
    readonly number: number | null
    readonly priority: string | null
  },
  receiver: string,
): TakenLine => {
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
    place: project ?? '',
    text: `${shortId}${headline}`,
    path: issueId === null ? `${below}/alerts/${row.rule_id}` : `${below}/issues/${issueId}`,
    occasion: `incident:${row.id}`,
    isHigh: row.priority === 'high',
    notice: receiver.startsWith('user:') ? 'alert' : null,
    isAgain: false,
  }
}

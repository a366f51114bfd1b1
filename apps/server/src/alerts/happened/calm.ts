import { formatShortId } from '../../issues/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { calmIncidents, type Incident } from '../ledger/incidents.ts'
import { oneAtATime } from '../ledger/one-at-a-time.ts'
import type { Outlets } from '../outlets.ts'
import { lengthInMinutes } from '../../lib/length-text.ts'
import { createRoad, type Said } from '../telling/road.ts'
import { projectName } from './message.ts'

/** Issues that flapped and are closed since: whoever was told that they flap is told that it is over. */

const placesOf = async (db: Pick<LedgerTransaction, 'selectFrom'>, incidents: readonly Incident[]) => {
  const rows = await db
    .selectFrom('issues')
    .innerJoin('projects', 'projects.id', 'issues.project_id')
    .innerJoin('organizations', 'organizations.id', 'issues.organization_id')
    .select(['issues.id', 'issues.number', 'issues.title', 'issues.status'])
    .select(['projects.slug', 'projects.name as project', 'organizations.slug as organization'])
    .where('issues.id', 'in', [0, ...incidents.flatMap(({ issue_id: id }) => id ?? [])])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

type Places = Awaited<ReturnType<typeof placesOf>>

const endOf = (
  incident: Incident,
  places: Places,
  {
    now,
    snoozePath,
  }: { readonly now: number; readonly snoozePath: (ruleId: number, organizationId: number) => string },
): Said[] => {
  const {
    headline,
    id,
    issue_id: issueId,
    organization_id: organizationId,
    rule_id: ruleId,
    rule_name: name,
  } = incident
  const issue = places.get(issueId ?? 0)
  if (issue === undefined) return []
  const shortId = formatShortId(issue.slug, issue.number)
  const length = lengthInMinutes(now - incident.started_at)
  return [
    {
      organizationId,
      ruleId,
      incidentId: id,
      occasion: `calm:${id}`,
      message: {
        kind: 'over',
        level: 'ok',
        headline: `Over after ${length}, and calm since: ${issue.title} (${projectName({ name: issue.project, slug: issue.slug })})`,
        blocks: [{ kind: 'text', text: `How it began: ${headline}` }],
        actions: [
          { label: 'Open', path: `/organizations/${issue.organization}/issues/${issue.id}` },
          { label: 'Snooze the alert', path: snoozePath(ruleId, organizationId) },
        ],
        thread: incident.subject,
        stage: 'over',
        reason: `The alert “${name}” watches this.`,
        about: {
          issue: { id: issue.id, shortId, title: issue.title, status: issue.status },
          rule: { id: ruleId, name },
        },
      },
      line: `${issue.title}, calm after ${length}`,
      name: issue.title,
      place: projectName({ name: issue.project, slug: issue.slug }),
      about: {
        issueId,
        reportId: null,
        actorId: null,
        projectId: incident.project_id,
        cause: incident.subject,
        isHigh: false,
        noticeKey: `alert:calm:${id}`,
      },
    },
  ]
}

export const createTellCalm =
  (parts: {
    readonly ledger: Ledger
    readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
    readonly snoozePath: (ruleId: number, organizationId: number) => string
  }) =>
  (now: number): Promise<void> =>
    parts.ledger.transaction(async (transaction) => {
      await oneAtATime(transaction, parts.ledger.dialect)
      const closed = (await calmIncidents(transaction, now)).filter(({ isClosed }) => isClosed)
      if (closed.length === 0) return
      const places = await placesOf(transaction, closed)
      const road = createRoad({ transaction, now })
      await road.end(closed.flatMap((incident) => endOf(incident, places, { now, snoozePath: parts.snoozePath })))
      await road.finish(parts.outlets)
    })

import type { Issue } from '@firsthand/contract'
import { issueJson } from './issue-json.ts'
import type { IssueRecord } from './issues.view.ts'
import type { IssueServices } from './services.ts'
import { COUNT_WRITERS } from './visitor-reports.ts'
import { NOBODYS_MARKS } from './workflow/marks.store.ts'

/** Issues as other capabilities show them: with their counts, and without what one person has noted of them. */
export const plainIssues = async (
  { ask, events, issues }: Pick<IssueServices, 'ask' | 'events' | 'issues'>,
  organization: { readonly id: number; readonly slug: string; readonly publicUrl: string },
  records: readonly IssueRecord[],
): Promise<readonly Issue[]> => {
  if (records.length === 0) return []
  const stored = new Map(records.map((record) => [record.id, record.storedIds]))
  const [counts, actors, writers] = await Promise.all([
    events.countIssues({
      organizationId: organization.id,
      projectIds: [...new Set(records.map((record) => record.project.id))],
      issues: stored,
      environments: [],
      period: null,
      buckets: null,
    }),
    issues.people(records.flatMap((record) => record.statusDetails.actorId ?? [])),
    ask(COUNT_WRITERS, { organizationId: organization.id, issues: stored }),
  ])
  return records.map((record) =>
    issueJson(record, {
      publicUrl: organization.publicUrl,
      organizationSlug: organization.slug,
      actors,
      marks: NOBODYS_MARKS,
      counts: counts.get(record.id),
      writers: writers.get(record.id) ?? 0,
      ranged: false,
    }),
  )
}

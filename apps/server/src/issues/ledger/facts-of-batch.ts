import { shorten, shortenOrNull, type Fact } from '../../facts/index.ts'
import { featuresOf } from '../features.ts'
import { issueOfFact } from '../issue-facts.ts'
import { eventOfFact } from './event-of-fact.ts'
import type { Group } from './issue-assignment.ts'
import type { ReleaseProject } from './releases.ts'

/** What happened to an issue by the events of a batch: most of them only count. */
const factOfGroup = (group: Group): Fact | null => {
  const { arrivals, changed, reopening } = group
  const cause = arrivals[reopening?.cause ?? 0]
  if (changed === null || cause === undefined) return null
  const about = {
    organizationId: group.organizationId,
    projectId: group.projectId,
    issueId: group.id,
    reportId: null,
    actorId: null,
    receivedAt: cause.receivedAt,
  }
  const issue = issueOfFact(changed)
  const event = eventOfFact(cause.event.grouped)
  if (reopening === null) {
    const features = featuresOf(cause.event.grouped.outline)
    return { ...about, kind: 'issue_opened', data: { issue, event, features } }
  }
  if (reopening.activity === 'set_regression') {
    return { ...about, kind: 'issue_regressed', data: { issue, event, version: shortenOrNull(cause.release) } }
  }
  const reason = reopening.data['reason'] === 'until_events' ? 'until_events' : 'until_timestamp'
  return { ...about, kind: 'issue_unarchived', data: { issue, event, reason } }
}

export const factsOfBatch = (groups: readonly Group[], firstOfRelease: readonly ReleaseProject[]): readonly Fact[] => [
  ...firstOfRelease.map(({ organizationId, projectId, firstSeen, version, environment }): Fact => ({
    organizationId,
    projectId,
    kind: 'release_first_seen',
    issueId: null,
    reportId: null,
    actorId: null,
    receivedAt: firstSeen,
    data: { version: shorten(version), environment: shortenOrNull(environment) },
  })),
  ...groups.flatMap((group) => factOfGroup(group) ?? []),
]

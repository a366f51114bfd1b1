import { standingIssues } from '../../issues/index.ts'
import type { Granted } from '../services.ts'
import type { KeptReplay } from '../telemetry/kept-replays.ts'

/** Which of these replays have errors of an issue that nobody resolved or archived. */
export const linkedToOpenIssues =
  ({ issues, replays: view }: Granted<{ issues: 'merges' | 'records'; replays: 'events' }>) =>
  async (
    { organizationId, projectId }: { readonly organizationId: number; readonly projectId: number },
    replays: readonly KeptReplay[],
  ): Promise<ReadonlySet<string>> => {
    const reported = await view.events({ organizationId, projectIds: [projectId] }, replays)
    const standing = await standingIssues(
      issues,
      organizationId,
      reported.map(({ issueId }) => Number(issueId)),
    )
    const isOpen = (issueId: string): boolean => standing.get(Number(issueId))?.status === 'unresolved'
    return new Set(reported.filter(({ issueId }) => isOpen(issueId)).map(({ replayId }) => replayId))
  }

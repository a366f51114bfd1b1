import type { ClickHouseClient } from '@clickhouse/client'
import { deleteRowsOfTable } from '../storage/index.ts'
import type { Ledger, RetentionPart } from '../storage/index.ts'
import {
  expireEventIndex,
  expireIssues,
  expireReleases,
  findDeletedIssues,
  forgetIssues,
  forgetIssuesOfProject,
} from './ledger/expiry.ts'

/** What goes with age, and what users deleted. */
export const createIssueRetention = ({
  ledger,
  client,
}: {
  readonly ledger: Ledger
  readonly client: ClickHouseClient
}): RetentionPart => ({
  expire: async ({ organizationId, projectIds, before, signal }) => {
    let issues = 0
    let eventIndexEntries = 0
    for (const projectId of projectIds) {
      issues += await expireIssues(ledger, projectId, before, signal)
      eventIndexEntries += await expireEventIndex(ledger, projectId, before, signal)
    }
    return { issues, eventIndexEntries, releases: await expireReleases(ledger, organizationId, before) }
  },
  purge: async (now, signal) => {
    let issues = 0
    for (;;) {
      signal.throwIfAborted()
      const deleted = await findDeletedIssues(ledger, now)
      if (deleted.length === 0) return { issues }
      for (const [projectId, own] of Map.groupBy(deleted, (issue) => issue.project_id)) {
        const ids = own.map((issue) => issue.id)
        // Telemetry first: as long as the issue is there, an interrupted deletion is found again.
        const ofIssues = {
          sql: 'project_id = {projectId:UInt64} AND issue_id IN {issueIds:Array(UInt64)}',
          parameters: { projectId, issueIds: ids },
        }
        await deleteRowsOfTable(client, 'events', ofIssues, signal)
        await forgetIssues(ledger, ids)
        await expireEventIndex(ledger, projectId, -Infinity, signal)
      }
      issues += deleted.length
    }
  },
  forgetProject: (projectId, signal) => forgetIssuesOfProject(ledger, projectId, signal),
})

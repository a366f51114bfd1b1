import type { Served, ServerParts } from '../capability.ts'
import { createIssueReads, OWNERS_OF_ISSUES, type IssuesChanged } from '../issues/index.ts'
import { answering } from '../lib/questions.ts'
import { createAssignment } from './assign.ts'
import { namedOwnersOfIssues } from './ledger/named-owners.ts'
import { createOwnershipStore } from './ledger/ownership-store.ts'
import { createOwners } from './index.ts'
import { createOwnershipRoutes } from './ownership.routes.ts'
import { createUnderstand } from './understand.ts'

export const serveOwnership = (parts: ServerParts): Served => {
  const { accounts, clock, ledger, live } = parts
  const { events, issues } = createIssueReads(parts)
  const store = createOwnershipStore({ ledger })
  const changed = ({ organizationId, projectId, issueIds, opened, at }: IssuesChanged): void =>
    live.publish({
      topic: 'issues',
      organizationId,
      projectId,
      at,
      data: { issueIds: issueIds.map(String), opened: opened.map(String) },
    })
  return {
    routes: createOwnershipRoutes({ accounts, clock, events, issues, store, understand: createUnderstand(ledger) }),
    jobs: [createAssignment({ ...parts, owners: createOwners(parts), changed })],
    knows: [answering(OWNERS_OF_ISSUES, (issueIds) => namedOwnersOfIssues(ledger, issueIds))],
  }
}

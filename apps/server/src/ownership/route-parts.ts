import type { Accounts } from '../accounts/index.ts'
import { notFound } from '../http/index.ts'
import type { IssueServices } from '../issues/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { OwnershipStore } from './ledger/ownership-store.ts'
import type { Understand } from './understand.ts'

/** What the routes of this slice work with. */
export interface OwnershipRouteParts extends Pick<IssueServices, 'events' | 'issues'> {
  readonly accounts: Pick<Accounts, 'store'>
  readonly clock: Clock
  readonly store: OwnershipStore
  readonly understand: Understand
}

/** @throws HttpError 404 */
export const findProject = async (
  { accounts }: Pick<OwnershipRouteParts, 'accounts'>,
  organizationId: number,
  reference: string,
) => {
  const project = await accounts.store.project(organizationId, reference)
  if (project === null) throw notFound()
  return project
}

import type { ClickHouseClient } from '@clickhouse/client'
import { createIssueReads } from '../issues/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import type { Ledger } from '../storage/index.ts'
import { createOwnershipStore } from './ledger/ownership-store.ts'
import { ownersOver, type Owners } from './owners.ts'

export type { Owners } from './owners.ts'

/** The face of the slice: whose an issue is. */
export const createOwners = (parts: {
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly client: ClickHouseClient
  readonly ledger: Ledger
}): Owners => {
  const { events, issues } = createIssueReads(parts)
  return ownersOver({ clock: parts.clock, ledger: parts.ledger, store: createOwnershipStore(parts), issues, events })
}

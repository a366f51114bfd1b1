import { RELEASE_NAMED } from '../artifacts/index.ts'
import { answering, type KnownAnswer } from '../lib/questions.ts'
import type { Ledger } from '../storage/ledger/ledger.ts'
import { nameRelease } from './ledger/writing.ts'

/** A release is here as soon as an upload names it, before any of its events. */
export const releasesOfUploads = (ledger: Ledger): KnownAnswer =>
  answering(RELEASE_NAMED, async ({ organizationId, version, projectIds, now }) => {
    await ledger.transaction((transaction) => nameRelease(transaction, { organizationId, version, projectIds, now }))
    return null
  })

import type { KnownAnswer } from '../../lib/questions.ts'
import { answering } from '../../lib/questions.ts'
import { RELEASE_NAMED } from '../../artifacts/index.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { noteReleaseProjects, noteReleases, releaseKey } from '../ledger/releases.ts'

/** A release is here as soon as an upload names it, before any of its events. */
export const releasesOfUploads = (ledger: Ledger): KnownAnswer =>
  answering(RELEASE_NAMED, async ({ organizationId, version, projectIds, now }) => {
    await ledger.transaction(async (transaction) => {
      const seen = { organizationId, version, firstSeen: now, lastSeen: now }
      const known = (await noteReleases(transaction, [seen], [])).get(releaseKey(organizationId, version))
      if (known === undefined) return
      await noteReleaseProjects(
        transaction,
        projectIds.map((projectId) => ({
          releaseId: known.id,
          version,
          organizationId,
          projectId,
          environment: null,
          firstSeen: now,
          newIssues: 0,
        })),
      )
    })
    return null
  })

import { readVersion, versionOrder } from '../lib/release-version.ts'
import type { Release } from './release.ts'

/** What is needed to put a release in order. */
export type OrderedRelease = Pick<Release, 'version' | 'releasedAt' | 'firstSeenAt'>

const dayOf = ({ releasedAt, firstSeenAt }: OrderedRelease): number => releasedAt ?? firstSeenAt

/**
 * Those of the same package that came before a release, the closest first: by their versions where both have one, else by
 * the day they were released or first seen.
 */
export const releasesBefore = <Candidate extends OrderedRelease>(
  release: OrderedRelease,
  candidates: readonly Candidate[],
): readonly Candidate[] => {
  const own = readVersion(release.version)
  const place = versionOrder(own)
  return candidates
    .filter(({ version }) => version !== release.version && readVersion(version).package === own.package)
    .map((candidate) => ({ candidate, order: versionOrder(readVersion(candidate.version)) }))
    .filter(({ candidate, order }) =>
      place === null ? dayOf(candidate) < dayOf(release) : order !== null && order < place,
    )
    .toSorted((one, other) => {
      if (place === null || one.order === other.order) return dayOf(other.candidate) - dayOf(one.candidate)
      return (one.order ?? '') < (other.order ?? '') ? 1 : -1
    })
    .map(({ candidate }) => candidate)
}

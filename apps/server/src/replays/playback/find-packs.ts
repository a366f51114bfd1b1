import type { OwnedReplay, ReplayScope, SegmentRecord } from '../replay.ts'
import type { CutReplay, Packs, ReadablePack } from './packs.ts'

/** What there is of the chunks of a replay before anything more is cut. */

/** A replay, and the projects that it may be in. */
export interface ReplayPlace extends ReplayScope {
  readonly replayId: string
}

export const placeOf = ({ organizationId, projectId, replayId }: OwnedReplay): ReplayPlace => ({
  organizationId,
  projectIds: [projectId],
  replayId,
})

/** As it was cut before, whatever came since. @param place null where it can be nowhere */
export const cutBefore = async (packs: Pick<Packs, 'find'>, place: ReplayPlace | null): Promise<CutReplay | null> => {
  const found = place === null ? null : await packs.find(place.projectIds, place.replayId)
  return place === null || found === null
    ? null
    : { replay: { organizationId: place.organizationId, ...found.replay }, pack: found.pack }
}

/** As far as it is cut, while it is. @param place null where it can be nowhere */
export const cutByNow = (packs: Pick<Packs, 'underWay'>, place: ReplayPlace | null): CutReplay | null =>
  place === null ? null : packs.underWay(place.projectIds, place.replayId)

/**
 * What can be read of it by now. Whoever waits for the rest asks often: while it is cut, its segments are not read.
 *
 * @param read what is to be cut; it need not wait for what was cut before
 */
export const readableByNow = async (
  packs: Pick<Packs, 'find' | 'partOf' | 'underWay'>,
  place: ReplayPlace | null,
  read: (
    before: Promise<CutReplay | null>,
  ) => Promise<{ readonly replay: OwnedReplay; readonly segments: readonly SegmentRecord[] }>,
): Promise<ReadablePack> => {
  const begun = cutByNow(packs, place)
  if (begun !== null) return { pack: begun.pack, isPreparing: true }
  const before = cutBefore(packs, place)
  const [known, { replay, segments }] = await Promise.all([before, read(before)])
  return packs.partOf(replay, segments, known?.pack)
}

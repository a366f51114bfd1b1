import type { CallerContext } from '../../lib/caller-context.ts'
import { createSharedAnswers } from '../../lib/shared-answers.ts'
import { isBeyond } from '../asked-thread.ts'
import type { OpenLink, Stretch } from '../ledger/replay-links.ts'
import { LIMITS } from '../limits.ts'
import { refuseBeyond } from '../refuse-beyond.ts'
import type { SharedAssets } from './shared-assets.ts'
import type { PlacedChunk, Shown } from './shared-playback.ts'
import type { SharedServices } from './shared-services.ts'

/** All links of an organisation take turns as one at the thread that cuts for everybody. */
export const turnsOf = ({ replay: { organizationId } }: OpenLink): CallerContext => ({
  organizationId,
  caller: 'links',
})

export const refuseSlice = refuseBeyond(
  'This part of the recording takes more time or memory to cut than it may, so it is not shown.',
)

/** What lies outside of the replay need not be cut off. */
export const within = ({ from, to }: Stretch): Shown => ({ from: from ?? -Infinity, to: to ?? Infinity })

export type Slices = ReturnType<typeof createSlices>

/**
 * Chunks as links show them. What one is made of is in the name that it is remembered by, so that none is out of date; all
 * who look at a replay at the same time, by whatever link, get the same.
 */
export const createSlices = ({ clock, slicing }: SharedServices) => {
  const slices = createSharedAnswers<Uint8Array>({
    clock,
    keptMs: LIMITS.REPLAY_SLICES_HELD_MS,
    capacity: LIMITS.REPLAY_SLICES_HELD_BYTES,
    weigh: ({ byteLength }) => byteLength,
  })
  return (
    link: OpenLink,
    { chunk, isCut }: PlacedChunk,
    { forSlicing: kept, version }: SharedAssets,
    read: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> => {
    const shown = within(link)
    const stretch = isCut ? `${shown.from}-${shown.to}` : ''
    return slices(`${chunk.key} ${stretch} ${version}`, async () => {
      const json = await read()
      try {
        return (await slicing.slice(turnsOf(link), { json, kept, shown })).bytes
      } catch (thrown) {
        // Where nothing of it is cut off, it may be seen as it was recorded.
        return isCut || !isBeyond(thrown) ? refuseSlice(thrown) : json
      }
    })
  }
}

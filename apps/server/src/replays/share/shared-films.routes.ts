import { getSharedReplayTouches, getSharedReplayVideo } from '@firsthand/contract'
import { bind, notFound, type Route } from '../../http/index.ts'
import type { OpenLink } from '../ledger/replay-links.ts'
import { pagesOf } from '../overview/pages.ts'
import type { SegmentRecord } from '../replay.ts'
import { isFilmed } from '../segment-rules.ts'
import { videoReply } from '../videos/video-reply.ts'
import { videosOf } from '../videos/videos.ts'
import { asStranger, LEAVES_NOTHING, open } from './as-stranger.ts'
import { readFingers } from './read-shared.ts'
import { videosIn } from './shared-playback.ts'
import type { Once, SharedServices } from './shared-services.ts'
import { refuseSlice, turnsOf } from './slices.ts'

/** Videos of phones, and the fingers on them, as people without an account see them by a link. */

/** A segment whose video is shown by a link. */
const filmedSegment = async (
  services: SharedServices,
  link: OpenLink,
  written: string,
): Promise<SegmentRecord | undefined> => {
  const { replays } = services
  const { found, shown } = await open(services, link)
  const { record, scope } = found
  const segments = await replays.segments(scope, record)
  const segment = segments.find((one) => isFilmed(one) && String(one.segmentId) === written)
  if (segment === undefined || (link.from === null && link.to === null)) return segment
  const marks = await replays.marks(scope, record)
  const videos = videosIn(videosOf(segments, marks, pagesOf(marks)), record, shown)
  return videos.some(({ segmentId }) => segmentId === segment.segmentId) ? segment : undefined
}

/** The same segment, for all who ask for it at the same time. */
const filmedOnce = (services: SharedServices, once: Once, link: OpenLink, segment: string) =>
  once(`film/${link.id}/${segment}`, () => filmedSegment(services, link, segment))

export const videoRoute = (services: SharedServices, once: Once): Route =>
  bind(getSharedReplayVideo, ({ params }) =>
    asStranger(services, params.token, async (link, caller) => {
      const segment = await filmedOnce(services, once, link, params.segment)
      const reply = await videoReply(services.blobs, segment, `replay-segment-${params.segment}`)
      return { ...reply, owner: caller.caller, headers: { ...reply.headers, ...LEAVES_NOTHING } }
    }),
  )

export const touchesRoute = (services: SharedServices, once: Once): Route =>
  bind(getSharedReplayTouches, ({ params }) =>
    asStranger(services, params.token, async (link, caller) => {
      const segment = await filmedOnce(services, once, link, params.segment)
      if (segment === undefined) throw notFound('This segment of the replay has no video.')
      const bytes = await once(`touches/${link.id}/${segment.segmentId}`, () =>
        readFingers(services, turnsOf(link), segment).catch(refuseSlice),
      )
      return { bytes, owner: caller.caller, headers: { ...LEAVES_NOTHING, 'content-type': 'application/json' } }
    }),
  )

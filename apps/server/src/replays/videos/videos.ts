import type { ReplayPlayback } from '@firsthand/contract'
import type { MarkRecord, SegmentRecord } from '../replay.ts'
import { isFilmed } from '../segment-rules.ts'

/** A note of the SDK about the video beside a recording: when it begins, how long it is, how large the screen. */
export const VIDEO_MARK = 'video'

const sideOf = (text: string | undefined): number => {
  const side = Number(text ?? '')
  return Number.isFinite(side) && side > 0 ? side : 0
}

/**
 * The videos of a replay, as their recordings say it; of one whose recording says nothing the stretch of its segment,
 * and the size of the screen that was noted last.
 */
export const videosOf = (
  segments: readonly SegmentRecord[],
  marks: readonly MarkRecord[],
  pages: ReplayPlayback['pages'],
): ReplayPlayback['videos'] => {
  const noted = new Map(marks.flatMap((mark) => (mark.kind === VIDEO_MARK ? [[mark.value ?? -1, mark] as const] : [])))
  const seen = new Set<number>()
  const videos: ReplayPlayback['videos'] = []
  for (const { from, segmentId, shift, to, videoBytes } of segments.filter(isFilmed)) {
    // Two of one number have one address.
    if (seen.has(segmentId)) continue
    seen.add(segmentId)
    const mark = noted.get(segmentId)
    const begin = mark?.at ?? from
    const page = pages.findLast(({ at, width }) => width > 0 && at <= begin) ?? pages.find(({ width }) => width > 0)
    videos.push({
      segmentId,
      from: begin,
      to: Math.max(begin, mark?.duration == null ? to : begin + mark.duration),
      bytes: videoBytes,
      // Touches count in the points of the screen, which the page says; a video may have fewer.
      width: page?.width ?? sideOf(mark?.detail['width']),
      height: page?.height ?? sideOf(mark?.detail['height']),
      shift,
    })
  }
  return videos.toSorted((one, other) => one.from - other.from)
}

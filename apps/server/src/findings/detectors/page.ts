import {
  DECODED_SIZES,
  ENCODED_SIZES,
  isLongFrame,
  LONG_FRAME,
  ON_MAIN_THREAD,
  TRANSFER_SIZES,
} from '../../traces/index.ts'
import {
  numberFact,
  shownBytes,
  shownMs,
  siblingsOf,
  textFact,
  unionMs,
  type Candidate,
  type Detector,
} from '../finding.ts'
import type { Segment, SegmentSpan } from '../segment.ts'

const encodedSize = (span: SegmentSpan): number | null => numberFact(span, ...ENCODED_SIZES)
const decodedSize = (span: SegmentSpan): number | null => numberFact(span, ...DECODED_SIZES)
const transferSize = (span: SegmentSpan): number | null => numberFact(span, ...TRANSFER_SIZES)

const isAsset = ({ op }: SegmentSpan): boolean =>
  op === 'resource.script' || op === 'resource.css' || op === 'resource.link'

const isCompressed = (span: SegmentSpan): boolean => (encodedSize(span) ?? 0) < (decodedSize(span) ?? 0)

export const uncompressedAsset: Detector = {
  id: 'uncompressed_asset',
  type: 'performance_uncompressed_assets',
  typeId: 1012,
  title: 'Uncompressed asset',
  rule: 'A large script or style sheet came over the network as large as it is, although other assets of the page were compressed.',
  thresholds: [
    { name: 'bytes', label: 'At least', unit: 'bytes', default: 512_000, min: 10_000, max: 1_000_000_000 },
    { name: 'duration', label: 'Takes longer than', unit: 'ms', default: 300, min: 1, max: 60_000 },
  ],
  needs: { kind: 'resource', least: ({ bytes = 0, duration = 0 }) => ({ largest: bytes, longest: duration }) },
  facts: [...ENCODED_SIZES, ...DECODED_SIZES, ...TRANSFER_SIZES],
  seen: 100,
  needsShare: false,
  perTransaction: false,
  find: (segment, { bytes: least = 0, duration = 0 }) => {
    // A browser or a proxy that takes nothing compressed is no fault of the asset.
    if (!segment.spans.some((span) => isAsset(span) && isCompressed(span))) return []
    return segment.spans.flatMap((span, place): Candidate[] => {
      const encoded = encodedSize(span) ?? 0
      const took = span.duration / 1000
      const isWhole = encoded === decodedSize(span) && (transferSize(span) ?? 0) >= encoded
      const isText = /\.(?:js|mjs|css|json)$/i.test(span.text)
      if (!isAsset(span) || !isText || !isWhole || encoded < least || took <= duration) return []
      return [
        {
          offenders: [place],
          ...(span.parent < 0 ? {} : { parent: span.parent }),
          text: span.text,
          key: [span.text],
          sentence: `${shownBytes(encoded)} came uncompressed and took ${shownMs(took)}.`,
          saved: took * COMPRESSIBLE,
          formula: `its duration (${shownMs(took)}) × ${COMPRESSIBLE}: text compresses to about a third`,
        },
      ]
    })
  },
}

const COMPRESSIBLE = 0.66

/** A page that paints so late has other reasons, or was in the background. */
const LATEST_PAINT_MS = 10_000

const FIRST_PAINT = 'browser.web_vital.fcp.value'
const BLOCKING_STATUS = 'resource.render_blocking_status'

export const renderBlocking: Detector = {
  id: 'render_blocking',
  type: 'performance_render_blocking_asset_span',
  typeId: 1004,
  title: 'Render-blocking asset',
  rule: 'A large script or style sheet holds up the first paint for a third of its time, and the paint is late.',
  thresholds: [
    { name: 'paint', label: 'First paint after', unit: 'ms', default: 2000, min: 500, max: 10_000 },
    { name: 'bytes', label: 'At least', unit: 'bytes', default: 500_000, min: 10_000, max: 1_000_000_000 },
    { name: 'share', label: 'Of the time to the first paint', unit: 'percent', default: 33, min: 5, max: 100 },
  ],
  needs: {
    kind: 'resource',
    least: ({ bytes = 0, paint = 0, share = 0 }) => ({ largest: bytes, longest: (paint * share) / 100 }),
  },
  facts: [...ENCODED_SIZES, FIRST_PAINT, BLOCKING_STATUS],
  seen: 3,
  needsShare: false,
  perTransaction: false,
  find: (segment, { paint: earliest = 0, bytes: least = 0, share = 0 }) => {
    const [root] = segment.spans
    const paint = root === undefined ? null : numberFact(root, FIRST_PAINT)
    if (paint === null || paint < earliest || paint > LATEST_PAINT_MS) return []
    const paintedAt = segment.start + paint * 1000
    return segment.spans.flatMap((span, place): Candidate[] => {
      const size = encodedSize(span) ?? 0
      const took = span.duration / 1000
      const status = textFact(span, BLOCKING_STATUS)
      const mayBlock =
        (span.op === 'resource.script' || span.op === 'resource.link' || span.op === 'resource.css') &&
        status !== 'non-blocking'
      if (!mayBlock || span.end > paintedAt || size < least || size > 1_000_000_000 || took < (paint * share) / 100)
        return []
      return [
        {
          offenders: [place],
          ...(span.parent < 0 ? {} : { parent: span.parent }),
          text: span.text,
          key: [span.text],
          sentence: `${shownBytes(size)} took ${shownMs(took)} of the ${shownMs(paint)} before the first paint.`,
          saved: took,
          formula: `its duration (${shownMs(took)}), which the first paint waited for`,
        },
      ]
    })
  },
}

/** A frame that takes no longer is not felt. */
const FRAME_MS = 50

const BLOCKING_TIMES = ['browser.long_animation_frame.blocking_duration', 'browser.script.blocking_duration'] as const
const SCRIPT_FILES = ['code.file.path', 'code.filepath', 'browser.script.source_url'] as const
const SCRIPT_FUNCTIONS = ['code.function.name', 'code.function'] as const

export const longTask: Detector = {
  id: 'long_task',
  type: 'performance_long_main_thread_task',
  typeId: 1900,
  title: 'Long main-thread task',
  rule: 'A script keeps the page from answering for longer than the limit, on at least ten page views within a day.',
  thresholds: [{ name: 'blocking', label: 'Blocks for at least', unit: 'ms', default: 200, min: 50, max: 60_000 }],
  needs: { kind: LONG_FRAME, least: ({ blocking = 0 }) => ({ longest: blocking }) },
  facts: [...BLOCKING_TIMES, ...SCRIPT_FILES, ...SCRIPT_FUNCTIONS],
  seen: 10,
  needsShare: false,
  perTransaction: false,
  find: (segment, { blocking: least = 0 }) => {
    const byScript = Map.groupBy(
      segment.spans
        .flatMap((span, place) => (isLongFrame(span.op) ? [{ span, place }] : []))
        .slice(0, FRAMES)
        .map((frame) => ({ ...frame, script: scriptOf(frame.span) })),
      ({ script }) => script,
    )
    return [...byScript].flatMap(([script, frames]): Candidate[] => {
      const blocked = frames.filter(({ span }) => blockingMs(span) >= least)
      const worst = Math.max(0, ...blocked.map(({ span }) => blockingMs(span)))
      const [first] = blocked
      if (first === undefined || script === '') return []
      const sum = blocked.reduce((total, { span }) => total + blockingMs(span), 0)
      return [
        {
          offenders: blocked.map(({ place }) => place),
          ...(first.span.parent < 0 ? {} : { parent: first.span.parent }),
          text: script,
          key: [script],
          sentence: `${script} kept the page from answering for ${shownMs(worst)}${blocked.length === 1 ? '' : `, and ${blocked.length - 1} more times`}.`,
          saved: sum,
          formula: `what its frames took beyond ${FRAME_MS} ms each`,
        },
      ]
    })
  },
}

/** Of one segment; more say nothing more. */
const FRAMES = 1000

const blockingMs = (span: SegmentSpan): number =>
  numberFact(span, ...BLOCKING_TIMES) ?? Math.max(0, span.duration / 1000 - FRAME_MS)

const firstText = (span: SegmentSpan, names: readonly string[]): string =>
  names.map((name) => textFact(span, name)).find((text) => text !== '') ?? ''

const SCRIPT_CHARS = 300

/** The script without its version, and the function of it. */
const scriptOf = (span: SegmentSpan): string => {
  const path = firstText(span, SCRIPT_FILES)
  const called = firstText(span, SCRIPT_FUNCTIONS)
  const file = (path.slice(0, SCRIPT_CHARS).split(/[?#]/, 1)[0] ?? '').replaceAll(
    /(?<=[-._])(?=[a-z_-]{0,30}\d)[\w-]{6,64}(?=\.|$)/g,
    '*',
  )
  return [file, called]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, SCRIPT_CHARS)
}

const mainThread = (
  id: string,
  about: { readonly type: string; readonly typeId: number; readonly title: string; readonly rule: string },
  kind: string,
  isOffender: (span: SegmentSpan) => boolean,
): Detector => ({
  id,
  ...about,
  thresholds: [{ name: 'total', label: 'Take together at least', unit: 'ms', default: 16, min: 1, max: 60_000 }],
  needs: { kind, least: ({ total = 0 }) => ({ blocked: total }) },
  facts: [ON_MAIN_THREAD],
  seen: 3,
  needsShare: false,
  perTransaction: true,
  find: (segment: Segment, { total: least = 0 }) =>
    [...siblingsOf(segment)].flatMap(([parent, siblings]): Candidate[] => {
      const offenders = siblings.filter((place) => {
        const span = segment.spans[place]
        return span?.category === kind && span.facts[ON_MAIN_THREAD] === true && isOffender(span)
      })
      const spans = offenders.flatMap((place) => segment.spans[place] ?? [])
      const together = unionMs(spans)
      const texts = [...new Set(spans.map(({ text, name }) => text || name))]
      if (spans.length === 0 || together < least) return []
      return [
        {
          offenders,
          ...(parent < 0 ? {} : { parent }),
          text: texts[0] ?? '',
          key: texts.toSorted(),
          sentence: `The main thread waited ${shownMs(together)} for ${spans.length === 1 ? 'it' : `${spans.length} of them`}.`,
          saved: together,
          formula: 'the time in which they ran: all of it on another thread',
        },
      ]
    }),
})

export const fileOnMainThread = mainThread(
  'file_io_main_thread',
  {
    type: 'performance_file_io_main_thread',
    typeId: 1008,
    title: 'File access on the main thread',
    rule: 'An app reads or writes files on the thread that draws, for longer than a frame.',
  },
  'file',
  ({ name }) => !/\.(?:nib|plist)\b/i.test(name),
)

export const dbOnMainThread = mainThread(
  'db_main_thread',
  {
    type: 'performance_db_main_thread',
    typeId: 1013,
    title: 'Database query on the main thread',
    rule: 'An app asks its database on the thread that draws, for longer than a frame.',
  },
  'db',
  () => true,
)

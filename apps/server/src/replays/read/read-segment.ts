import { createHash } from 'node:crypto'
import { readAssetAddresses, readTexts, type NamedAddresses, type ShownText } from '@firsthand/recording'
import type { ProjectSettings } from '../../accounts/settings.ts'
import type { NormalisedEvent } from '../../event/event.ts'
import { clockShift, readTraceId, scrub, scrubAttributes, scrubSentTags } from '../../event/index.ts'
import type { DigestItem } from '../../ingest/index.ts'
import { sizeOf } from '../../ingest/index.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts'
import { LIMITS as STORAGE_LIMITS } from '../../storage/limits.ts'
import { LIMITS } from '../limits.ts'
import type { FactName } from '../facts.ts'
import { CLICK_KINDS } from '../replay-rules.ts'
import type { Mark } from '../mark.ts'
import type { NamedVersion, Segment, Unplayable } from '../segment.ts'
import type { TextBudget } from '../text-budget.ts'
import { absoluteMarks, absolutePages } from './absolute.ts'
import { splitRecording } from './decode-segment.ts'
import { receiveSegment } from './receive-segment.ts'
import { cut, textIn } from './fields.ts'
import { readIndex, type SegmentIndex } from './read-index.ts'
import { surroundingsWithout, type ReplayEvent } from './read-replay-event.ts'

/** What the recording of a segment says; all of it is missing where it cannot be read, or did not come. */
interface Recording {
  /** As it is kept; null where none came. */
  readonly payload: Uint8Array | null
  readonly index: SegmentIndex | null
  readonly broken: Unplayable | ''
  readonly events: number
  readonly refused: number
  readonly rawBytes: number
  readonly texts: readonly ShownText[]
  readonly textsLeftOut: number
  readonly assets: NamedAddresses
}

export const NO_ADDRESSES: NamedAddresses = { addresses: [], leftOut: [] }

const NO_RECORDING: Recording = {
  payload: null,
  index: null,
  broken: 'missing',
  events: 0,
  refused: 0,
  rawBytes: 0,
  texts: [],
  textsLeftOut: 0,
  assets: NO_ADDRESSES,
}

const TEXT_BOUNDS = {
  characters: LIMITS.REPLAY_TEXT_CHARS,
  texts: LIMITS.REPLAY_TEXTS,
  allCharacters: LIMITS.REPLAY_ALL_TEXT_CHARS,
}

const ASSET_BOUNDS = { characters: LIMITS.REPLAY_ASSET_URL_CHARS, addresses: LIMITS.REPLAY_ASSETS_PER_SEGMENT }

/** Of a segment whose texts have no room. That texts are left out is known from the one that took the last of it. */
const NOT_READ: ReturnType<typeof readTexts> = { texts: [], leftOut: 0 }

const readRecording = (
  payload: Uint8Array,
  { allowsAsset, settings }: SegmentParts,
  keepsTexts: () => boolean,
): Recording => {
  const received = receiveSegment(payload, settings)
  if (!received.ok) return { ...NO_RECORDING, payload, broken: received.error }
  const { bytes, events, payload: kept, refused } = received.value
  const { leftOut: textsLeftOut, texts } = keepsTexts() ? readTexts(events, TEXT_BOUNDS) : NOT_READ
  const index = readIndex(events)
  const assets =
    allowsAsset === null ? NO_ADDRESSES : readAssetAddresses(events, { ...ASSET_BOUNDS, allows: allowsAsset })
  const counts = { events: events.length, refused, rawBytes: bytes }
  return { payload: kept, index, broken: '', ...counts, texts, textsLeftOut, assets }
}

/**
 * Says which segment of which replay a recording is. Its number is the one on its own first line, because that was packed
 * with the bytes; the event beside it is asked only where that line says none. The id is the event's,
 * and without one the envelope's.
 */
export const segmentNames = (
  item: DigestItem,
  event: ReplayEvent | null,
): { readonly replayId: string; readonly segmentId: number } | null => {
  const own = splitRecording(item.item.payload).segmentId
  const replayId = event?.replayId ?? readTraceId(item.header.eventId)
  const segmentId = own ?? event?.segmentId ?? null
  return replayId === null || segmentId === null ? null : { replayId, segmentId }
}

interface SegmentParts {
  readonly item: DigestItem
  readonly names: { readonly replayId: string; readonly segmentId: number }
  /** Null when it did not come, or cannot be read. */
  readonly event: ReplayEvent | null
  /** A recording as it was sent; null where only its event came. */
  readonly payload: Uint8Array | null
  readonly settings: ProjectSettings
  /** Null where nothing is fetched that the recording names. */
  readonly allowsAsset: ((url: string) => boolean) | null
  readonly videoBytes: number
  /** Whether there is room for texts of a segment. */
  readonly keepsTexts: TextBudget['hasRoom']
}

/** What the visitor's surroundings are, before scrubbing: filters look at them. */
export const surroundingsOf = (item: DigestItem, event: ReplayEvent | null): NormalisedEvent =>
  event?.surroundings ?? surroundingsWithout(item)

/**
 * @param surroundings are scrubbed in place
 * @returns the segment, its recording as it is kept, and addresses of what is to be fetched for it
 */
export const readSegment = (
  parts: SegmentParts,
  surroundings: NormalisedEvent,
): { readonly segment: Segment; readonly payload: Uint8Array | null; readonly assets: NamedAddresses } => {
  const { item, names, event, payload, settings, videoBytes } = parts
  const named = { projectId: item.sender.projectId, replayId: names.replayId, id: identity(item, names) }
  const recording = payload === null ? NO_RECORDING : readRecording(payload, parts, () => parts.keepsTexts(named))
  const times = timesOf(item, recording.index, event)
  // Before the surroundings are scrubbed: what follows from it is scrubbed by itself.
  const page = event?.surroundings.request?.url ?? ''
  const marks = absoluteMarks(recording.index?.marks ?? [], page).map((mark) => stored(mark, times.shift, settings))
  const pages = marks.flatMap(({ kind, url }) => (kind === 'page' && url !== '' ? [url] : []))
  const count = (...kinds: readonly Mark['kind'][]): number => marks.filter(({ kind }) => kinds.includes(kind)).length
  const segment: Segment = {
    organizationId: item.sender.organizationId,
    ...names,
    ...named,
    ...times,
    type: event?.type ?? 'session',
    urls: event === null ? pages : absolutePages(event.urls, page).map((url) => scrubbedUrl(url, settings)),
    errorIds: event?.errorIds ?? [],
    traceIds: event?.traceIds ?? [],
    ...placeOf(scrub(surroundings, settings)),
    tags: scrubSentTags(event?.tags ?? [], settings).slice(0, LIMITS.REPLAY_TAGS),
    clicks: count('click'),
    deadClicks: count(...CLICK_KINDS.dead),
    rageClicks: count('rage_click'),
    events: recording.events,
    refusedEvents: recording.refused,
    marks,
    marksLeftOut: recording.index?.marksLeftOut ?? 0,
    texts: recording.texts.map((one) => ({ ...one, at: one.at + times.shift })),
    textsLeftOut: recording.textsLeftOut,
    active: (recording.index?.active ?? []).map((at) => at + times.shift),
    hasSnapshot: recording.index?.hasSnapshot ?? false,
    bytes: payload === null ? 0 : sizeOf(item.item),
    rawBytes: recording.rawBytes,
    canvasBytes: recording.index?.canvasBytes ?? 0,
    videoBytes,
    broken: recording.broken,
    receivedAt: item.receivedAt,
  }
  return { segment, payload: recording.payload, assets: recording.assets }
}

const identity = ({ item, sender }: DigestItem, { replayId, segmentId }: SegmentParts['names']): string =>
  createHash('md5').update(`${sender.projectId}:${replayId}:${segmentId}:`).update(item.payload).digest('hex')

const FUTURE_MS = MINUTE_MS
const PAST_MS = STORAGE_LIMITS.RETENTION_DEFAULT_DAYS * DAY_MS

type Times = Pick<Segment, 'from' | 'to' | 'replayStart' | 'shift'>

/** Corrects the visitor's clock as that of events is corrected. */
const timesOf = ({ header, receivedAt }: DigestItem, index: SegmentIndex | null, event: ReplayEvent | null): Times => {
  const end = event?.end ?? index?.to ?? receivedAt
  const from = index?.from ?? end
  const recorded = index?.to ?? end
  // An SDK says when it sent the segment: not far behind the last thing in it.
  const to = end - recorded > LIMITS.REPLAY_CLOCK_JUMP_MS ? recorded : Math.max(recorded, end)
  const drift = clockShift(header.sentAt, receivedAt)
  const isPossible = to + drift <= receivedAt + FUTURE_MS && to + drift >= receivedAt - PAST_MS
  const shift = isPossible ? drift : receivedAt - to
  const start = event?.replayStart ?? from
  const isStart = start <= from && from - start <= DAY_MS
  return { from: from + shift, to: to + shift, replayStart: (isStart ? start : from) + shift, shift }
}

const scrubbedUrl = (url: string, settings: ProjectSettings): string => {
  const named = { url }
  scrubAttributes(named, '', settings)
  return named.url
}

/** Names of elements are what a page calls its parts: only what people wrote and where they were is scrubbed. */
const stored = (mark: Mark, shift: number, settings: ProjectSettings): Mark => {
  const isAddress = mark.kind === 'request'
  const named = { ...mark.detail, url: isAddress ? mark.text : mark.url }
  const text = scrubAttributes(named, isAddress ? '' : mark.text, settings)
  const { url, ...detail } = named
  return { ...mark, at: mark.at + shift, detail, text: isAddress ? url : text, url: isAddress ? mark.url : url }
}

const word = (context: Readonly<Record<string, unknown>> | undefined, name: string): string =>
  context === undefined ? '' : textIn(context, name, LIMITS.REPLAY_WORD_CHARS)

const namedVersion = (context: Readonly<Record<string, unknown>> | undefined): NamedVersion => ({
  name: word(context, 'name'),
  version: word(context, 'version'),
})

const factsOf = (contexts: NormalisedEvent['contexts'], user: NormalisedEvent['user']): Segment['facts'] => {
  const { device, ota_updates: updates } = contexts
  const all: readonly (readonly [FactName, string])[] = [
    ...(['city', 'country_code', 'region', 'subdivision'] as const).map(
      (name) => [`user.geo.${name}`, word(user?.geo, name)] as const,
    ),
    ['device.model_id', word(device, 'model_id')],
    ...(['channel', 'runtime_version', 'update_id'] as const).map(
      (name) => [`ota_updates.${name}`, word(updates, name)] as const,
    ),
  ]
  return all.filter(([, value]) => value !== '')
}

const placeOf = ({ contexts, dist, environment, platform, release, sdk, user }: NormalisedEvent) => ({
  environment: environment ?? '',
  release: release ?? '',
  dist: dist ?? '',
  platform,
  user: {
    id: cut(user?.id ?? '', LIMITS.REPLAY_WORD_CHARS),
    email: cut(user?.email ?? '', LIMITS.REPLAY_WORD_CHARS),
    name: cut(user?.username ?? user?.name ?? '', LIMITS.REPLAY_WORD_CHARS),
    ip: user?.ip_address ?? '',
  },
  browser: namedVersion(contexts['browser']),
  os: namedVersion(contexts['os']),
  device: {
    name: word(contexts['device'], 'name'),
    brand: word(contexts['device'], 'brand'),
    model: word(contexts['device'], 'model'),
    family: word(contexts['device'], 'family'),
  },
  sdk: { name: sdk?.name ?? '', version: sdk?.version ?? '' },
  facts: factsOf(contexts, user),
})

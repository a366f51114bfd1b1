import { createHash } from 'node:crypto'
import type { NamedAddresses } from '@firsthand/recording'
import { filter } from '../event/index.ts'
import { LIMITS as READING_LIMITS } from '../event/limits.ts'
import type { DigestItem, Drop, ExpandContext, ItemKind, Verdict } from '../ingest/index.ts'
import { drop } from '../ingest/index.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { Work } from '../lib/work.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import { noteBlobs, type LedgerBlob } from '../storage/ledger/note-blobs.ts'
import { insertRowsOfItems, type EncodedRow, type RowWriter } from '../storage/telemetry/row-writer.ts'
import { NO_ASSET_RULES, type AssetRules } from './assets/asset-rules.ts'
import { noteAssets } from './ledger/assets/note-assets.ts'
import { newsOf } from './replay-news.ts'
import { readDeleted } from './ledger/replay-deletions.ts'
import type { OwnedReplay } from './replay.ts'
import { NO_ADDRESSES, segmentNames, surroundingsOf, readSegment } from './read/read-segment.ts'
import { readParts } from './read/read-message-pack.ts'
import { readReplayEvent, type ReplayEvent } from './read/read-replay-event.ts'
import type { Segment } from './segment.ts'
import { createTextBudget, type TextBudget } from './text-budget.ts'
import { encodeMark, REPLAY_MARKS } from './telemetry/mark-row.ts'
import { REPLAY_SEGMENTS, type StoredSegment } from './telemetry/segment-row.ts'
import { encodeText, REPLAY_TEXTS } from './telemetry/text-row.ts'

/** A segment as it waits for the stores. */
interface SegmentToStore {
  /** What an SDK sends again has the same. */
  readonly key: string
  /** Null for an event whose recording stands beside it, and says all that is stored. */
  readonly segment: Segment | null
  readonly marks: readonly EncodedRow[]
  readonly texts: readonly EncodedRow[]
  /** What becomes a blob; null without a recording. */
  readonly payload: Uint8Array | null
  /** The video of a phone's screen, which becomes a blob as well; null without one. */
  readonly video: Uint8Array | null
  /** Addresses of what is to be fetched for it. */
  readonly assets: NamedAddresses
}

/** What is known of replays and projects beside an item. */
interface Known {
  /** What of their texts replays keep. */
  readonly texts: TextBudget
  readonly assets: Pick<AssetRules, 'allows'>
}

/** Blobs of a segment. */
interface SegmentBlobs {
  readonly recording: LedgerBlob | null
  readonly video: LedgerBlob | null
}

/** An event whose recording stands beside it: the recording is stored with what both say, and the event alone is not. */
const saidBeside = (item: DigestItem, recording: DigestItem): SegmentToStore => {
  const bytes = createHash('md5').update(item.item.payload).update(recording.item.payload)
  const key = `${item.item.header.type} ${item.sender.projectId}:${bytes.digest('hex')}`
  return { key, segment: null, marks: [], texts: [], payload: null, video: null, assets: NO_ADDRESSES }
}

const siblingOf = (item: DigestItem, { siblings }: ExpandContext, type: string): DigestItem | null => {
  const sibling = siblings.find(({ header }) => header.type === type)
  return sibling === undefined ? null : { ...item, item: sibling }
}

const checked = (item: DigestItem, event: ReplayEvent | null, { settings }: ExpandContext) => {
  const surroundings = surroundingsOf(item, event)
  const filtered = filter(surroundings, item.sender, settings, new Work(READING_LIMITS.RULE_STEPS_PER_EVENT))
  return filtered === null ? ok(surroundings) : err(filtered)
}

const toStore = (
  { assets, payload, segment: whole }: ReturnType<typeof readSegment>,
  { texts: budget }: Known,
  video: Uint8Array | null = null,
): SegmentToStore => {
  const { marks, texts, ...segment } = budget.fit(whole)
  return {
    key: `${whole.projectId}:${whole.id}`,
    segment: { ...segment, marks: [], texts: [] },
    marks: marks.map((mark, place) => encodeMark(whole, mark, place)),
    texts: texts.map((text, place) => encodeText(whole, text, place)),
    payload,
    video,
    assets,
  }
}

const allowsOf = ({ sender }: DigestItem, { assets }: Known) => assets.allows(sender.projectId)

const NAMELESS = drop('invalid', 'invalid_replay', 'It does not say which segment of which replay it is.')

const expandRecording = (item: DigestItem, context: ExpandContext, known: Known): Result<SegmentToStore, Drop> => {
  const beside = siblingOf(item, context, 'replay_event')
  const event = beside === null ? null : readReplayEvent(beside)
  const names = segmentNames(item, event)
  if (names === null) return err(NAMELESS)
  const surroundings = checked(item, event, context)
  if (!surroundings.ok) return surroundings
  const { payload } = item.item
  const parts = {
    item,
    names,
    event,
    payload,
    settings: context.settings,
    allowsAsset: allowsOf(item, known),
    videoBytes: 0,
    keepsTexts: known.texts.hasRoom,
  }
  return ok(toStore(readSegment(parts, surroundings.value), known))
}

const expandEvent = (item: DigestItem, context: ExpandContext, known: Known): Result<SegmentToStore, Drop> => {
  const event = readReplayEvent(item)
  if (event === null) return err(NAMELESS)
  const recording = siblingOf(item, context, 'replay_recording')
  if (recording !== null) return ok(saidBeside(item, recording))
  const surroundings = checked(item, event, context)
  if (!surroundings.ok) return surroundings
  const { replayId, segmentId } = event
  const parts = {
    item,
    names: { replayId, segmentId },
    event,
    payload: null,
    settings: context.settings,
    allowsAsset: null,
    videoBytes: 0,
    keepsTexts: known.texts.hasRoom,
  }
  return ok(toStore(readSegment(parts, surroundings.value), known))
}

const DELETED: Verdict<null> = { isStored: false, outcome: { kind: 'filtered', reason: 'deleted_replay' } }

const withPayload = (item: DigestItem, type: string, payload: Uint8Array): DigestItem => ({
  ...item,
  item: { header: { ...item.item.header, type, length: payload.byteLength }, payload },
})

/** What a phone recorded: event, recording and video in one. */
const expandVideo = (item: DigestItem, context: ExpandContext, known: Known): Result<SegmentToStore, Drop> => {
  const parts = readParts(item.item.payload)
  const about = parts?.get('replay_event')
  const payload = parts?.get('replay_recording')
  const event = about === undefined ? null : readReplayEvent(withPayload(item, 'replay_event', about))
  const names = segmentNames(withPayload(item, 'replay_recording', payload ?? NOTHING), event)
  if (names === null) return err(NAMELESS)
  const surroundings = checked(item, event, context)
  if (!surroundings.ok) return surroundings
  const video = parts?.get('replay_video') ?? null
  const segment = readSegment(
    {
      item,
      names,
      event,
      payload: payload ?? null,
      settings: context.settings,
      allowsAsset: null,
      videoBytes: video?.byteLength ?? 0,
      keepsTexts: known.texts.hasRoom,
    },
    surroundings.value,
  )
  return ok(toStore(segment, known, video))
}

const NOTHING = new Uint8Array(0)

const expand = (item: DigestItem, context: ExpandContext, known: Known): Result<SegmentToStore, Drop> => {
  switch (item.item.header.type) {
    case 'replay_event':
      return expandEvent(item, context, known)
    case 'replay_video':
      return expandVideo(item, context, known)
    default:
      return expandRecording(item, context, known)
  }
}

export const REPLAY_ITEMS = 'replays'

/** Recordings and what SDKs say of them: rows of segments and marks, what was recorded as blobs. */
export const createReplayItems = ({
  assets = NO_ASSET_RULES,
  blobs,
  writer,
}: {
  readonly blobs: Pick<BlobStore, 'put'>
  readonly writer: RowWriter
  readonly assets?: AssetRules
}): ItemKind<SegmentToStore, SegmentBlobs, null> => {
  const known: Known = { texts: createTextBudget(), assets }
  return {
    name: REPLAY_ITEMS,
    takes: ['replay_recording', 'replay_event', 'replay_video'],
    // A recording is of use without its event, and not the other way round.
    leads: ['replay_recording'],
    follows: ['replay_event'],
    recall: (projectIds) => assets.recall(projectIds),
    expand: (item, context) => expand(item, context, known),
    keyOf: (_item, { key }) => key,
    // Of a recording that cannot be read nothing is played: its row says why.
    quantityOf: ({ payload, segment }) => (isBroken(payload, segment) ? 0 : 1),
    partsOf: ({ payload, segment }) =>
      isBroken(payload, segment) ? [{ quantity: 1, outcome: { kind: 'invalid', reason: 'broken_recording' } }] : [],
    prepare: async (entries) => {
      const wanted = entries.flatMap(({ value: { payload, segment, video } }) =>
        segment === null ? [] : [payload, video].flatMap((bytes) => (bytes === null ? [] : [{ bytes, segment }])),
      )
      const keys = await blobs.put(
        wanted.map(({ bytes, segment }) => ({ organizationId: segment.organizationId, bytes })),
      )
      const ready = new Map(
        wanted.map(({ bytes, segment: { organizationId, receivedAt } }, index): [Uint8Array, LedgerBlob] => {
          const key = keys[index]
          if (key === undefined) throw new Error('The blob store answered with fewer keys than it was given blobs.')
          return [bytes, { key, organizationId, bytes: bytes.byteLength, receivedAt }]
        }),
      )
      const of = (bytes: Uint8Array | null): LedgerBlob | null => (bytes === null ? null : (ready.get(bytes) ?? null))
      return entries.map(({ value: { payload, video } }) => ({ recording: of(payload), video: of(video) }))
    },
    apply: async ({ transaction, isRepeated, now }, entries, ready) => {
      const isDeleted = await readDeleted(
        transaction,
        entries.flatMap(({ value: { segment } }) => segment ?? []),
      )
      const verdicts = entries.map(({ value: { segment } }) => segment === null || !isDeleted(segment))
      if (!isRepeated) {
        // What nothing names goes with the next housekeeping.
        const noted = ready.flatMap(({ recording, video }, index) =>
          [recording, video].flatMap((blob) =>
            blob === null ? [] : [verdicts[index] === true ? blob : { ...blob, receivedAt: 0 }],
          ),
        )
        await noteBlobs(transaction, [...new Map(noted.map((blob) => [blob.key, blob])).values()])
        const named = entries.flatMap(({ value: { assets: own, segment } }, index) =>
          segment === null || verdicts[index] !== true ? [] : [{ ...ownedBy(segment), ...own }],
        )
        await noteAssets(transaction, named, now)
      }
      return verdicts.map((isStored) => (isStored ? { isStored, stored: null } : DELETED))
    },
    announce: (stored) =>
      [...Map.groupBy(stored, ({ entry }) => entry.item.sender.projectId)].flatMap(([projectId, ofProject]) => {
        const [first] = ofProject
        if (first === undefined) return []
        const { organizationId } = first.entry.item.sender
        return [{ organizationId, projectId, data: newsOf(ofProject.map(({ entry }) => entry.value.segment)) }]
      }),
    write: async (stored, to) => {
      const segments = stored.map(({ entry, ready }): readonly StoredSegment[] =>
        entry.value.segment === null
          ? []
          : [
              {
                segment: entry.value.segment,
                blobKey: ready.recording?.key ?? '',
                videoKey: ready.video?.key ?? '',
                textCount: entry.value.texts.length,
              },
            ],
      )
      const marks = stored.map(({ entry }) => entry.value.marks)
      const texts = stored.map(({ entry }) => entry.value.texts)
      const [refused, refusedMarks, refusedTexts] = await Promise.all([
        insertRowsOfItems(writer, REPLAY_SEGMENTS, segments, to),
        insertRowsOfItems(writer, REPLAY_MARKS, marks, to),
        insertRowsOfItems(writer, REPLAY_TEXTS, texts, to),
      ])
      return new Map([...refusedTexts, ...refusedMarks, ...refused])
    },
  }
}

const ownedBy = ({ organizationId, projectId, replayId }: Segment): OwnedReplay => ({
  organizationId,
  projectId,
  replayId,
})

const isBroken = (payload: Uint8Array | null, segment: Segment | null): boolean =>
  payload !== null && segment !== null && segment.broken !== ''

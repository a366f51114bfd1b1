import type { NormalisedEvent } from '../event/event.ts'
import { filter, scrubAttributes } from '../event/index.ts'
import { LIMITS as READING_LIMITS } from '../event/limits.ts'
import type { DigestItem, Drop, ExpandContext, ItemKind } from '../ingest/index.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { Work } from '../lib/work.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import { noteBlobs, type LedgerBlob } from '../storage/ledger/note-blobs.ts'
import type { RowWriter } from '../storage/telemetry/row-writer.ts'
import { NAMES_BY_FORM, rootBeside, sentName, sentTransaction, type Names, type SentName } from '../traces/index.ts'
import { encodeForm } from './form.ts'
import { readProfile, type ReadProfile } from './read/read-profile.ts'
import { PROFILES, type ProfileRow } from './telemetry/profile-row.ts'

/** A profile as it waits for the stores: its row, and what becomes its blob. */
interface ProfileToStore {
  readonly row: ProfileRow
  readonly bytes: Uint8Array
}

/** What the transaction says that came with a profile: its name as its spans have it, and the span that it is. */
interface Profiled {
  readonly transaction: string
  readonly segmentId: string
  readonly traceId: string
  /** What filters look at. */
  readonly surroundings: NormalisedEvent | null
}

/** The transaction itself counts, not what comes with it. */
const nameOf = ({ receivedAt, sender }: DigestItem, sent: SentName, names: Names): string =>
  names.nameOf(sender.projectId, sent, { at: receivedAt, isTransaction: false })

const transactionBeside = (item: DigestItem, { siblings }: ExpandContext, names: Names): Profiled | null => {
  const beside = item.item.header.type === 'profile' ? rootBeside(item, siblings) : null
  if (beside === null) return null
  const { root, surroundings } = beside
  const sent = sentTransaction(root)
  const transaction = sent === null ? '' : nameOf(item, sent, names)
  return { transaction, segmentId: root.spanId, traceId: root.traceId, surroundings }
}

/** What filters look at, of a profile that came without its transaction. */
const surroundingsOf = ({ receivedAt }: DigestItem, { form, release }: ReadProfile): NormalisedEvent => ({
  event_id: '',
  type: 'default',
  timestamp: 0,
  received: receivedAt / 1000,
  platform: form.platform,
  level: 'info',
  logger: '',
  contexts: {},
  tags: [],
  errors: [],
  ...(release === '' ? {} : { release }),
})

const expandWith =
  (names: Names) =>
  (item: DigestItem, context: ExpandContext): Result<ProfileToStore, Drop> => {
    const { settings } = context
    const read = readProfile(item, settings)
    if (!read.ok) return read
    const { form, ...profile } = read.value
    const beside = transactionBeside(item, context, names)
    const work = new Work(READING_LIMITS.RULE_STEPS_PER_EVENT)
    const filtered = filter(beside?.surroundings ?? surroundingsOf(item, read.value), item.sender, settings, work)
    if (filtered !== null) return err(filtered)
    const named = profile.transaction === '' ? '' : nameOf(item, sentName(profile.transaction, {}), names)
    return ok({
      bytes: encodeForm(form),
      row: {
        organizationId: item.sender.organizationId,
        projectId: item.sender.projectId,
        profileId: profile.id,
        profilerId: profile.profilerId,
        traceId: beside?.traceId ?? profile.traceId,
        transactionId: profile.transactionId,
        segmentId: beside?.segmentId ?? '',
        transaction: scrubAttributes({}, beside?.transaction ?? named, settings),
        start: form.start,
        duration: form.duration,
        threads: form.threads.map(({ id }) => id),
        activeThread: form.activeThread,
        platform: form.platform,
        release: profile.release,
        environment: profile.environment,
        sdk: form.about.sdk,
        samples: form.samples.at.length,
        receivedAt: item.receivedAt,
      },
    })
  }

/** Profiles of transactions and chunks of continuous ones: rows of `profiles`, their samples as blobs. */
export const createProfileItems = ({
  blobs,
  names = NAMES_BY_FORM,
  writer,
}: {
  readonly blobs: BlobStore
  readonly names?: Names
  readonly writer: RowWriter
}): ItemKind<ProfileToStore, LedgerBlob, null> => ({
  name: 'profiles',
  takes: ['profile', 'profile_chunk'],
  recall: (projectIds) => names.recall(projectIds),
  expand: expandWith(names),
  // What an SDK sends again has the same id.
  keyOf: (_item, { row }) => `${row.projectId}:${row.profileId}`,
  prepare: async (entries) => {
    const keys = await blobs.put(
      entries.map(({ value }) => ({ organizationId: value.row.organizationId, bytes: value.bytes })),
    )
    return entries.map(({ value: { row, bytes } }, index) => {
      const key = keys[index]
      if (key === undefined) throw new Error('The blob store answered with fewer keys than it was given blobs.')
      return { key, organizationId: row.organizationId, bytes: bytes.byteLength, receivedAt: row.receivedAt }
    })
  },
  apply: async ({ transaction, isRepeated }, entries, ready) => {
    if (!isRepeated) await noteBlobs(transaction, [...new Map(ready.map((blob) => [blob.key, blob])).values()])
    return entries.map(() => ({ isStored: true, stored: null }))
  },
  write: (stored, to) =>
    writer.insertRows(
      PROFILES,
      stored.map(({ entry, ready }) => ({ row: entry.value.row, blobKey: ready.key })),
      to,
    ),
})

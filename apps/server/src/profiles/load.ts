import { inSlices } from '../lib/sliced-work.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import { decodeForm, type ProfileAbout, type ProfileForm } from './form.ts'
import { LIMITS } from './limits.ts'
import { createMixer, type Mix, type Part } from './mix.ts'
import type {
  ProfileChoice,
  ProfileRecord,
  ProfiledSegment,
  ProfileScope,
  ProfileView,
  Stretch,
} from './profiles.view.ts'

export interface ProfileStores {
  readonly profiles: ProfileView
  readonly blobs: Pick<BlobStore, 'get'>
}

/** Samples with what they were read from. */
export interface LoadedMix {
  readonly mix: Mix
  /** Of what is in it, oldest first. */
  readonly records: readonly ProfileRecord[]
  /** By part, how long each mixed stack ran. */
  readonly ran: readonly ReadonlyMap<number, number>[]
  /** Of all that was read, with how many samples each has. */
  readonly threads: ReadonlyMap<string, { readonly name: string; readonly samples: number }>
  /** What the last of them ran on; null when nothing could be read. */
  readonly about: ProfileAbout | null
  readonly notes: readonly string[]
  readonly truncated: boolean
}

/** What is wanted of one stored profile. */
type WantedPart = Omit<Part, 'form' | 'thread'> & {
  /** Null for all; 'main' for the one that the profile is about. */
  readonly thread: { readonly id: string } | 'main' | null
}

/** The thread that a profile is about, or else its busiest. */
export const mainThreadOf = ({ activeThread, samples, threads }: ProfileForm): string => {
  if (threads.some(({ id }) => id === activeThread)) return activeThread
  const main = threads.find(({ name }) => name === 'main')
  if (main !== undefined) return main.id
  const counts = threads.map(() => 0)
  for (const thread of samples.thread) counts[thread] = (counts[thread] ?? 0) + 1
  return threads[counts.indexOf(Math.max(...counts))]?.id ?? ''
}

/**
 * Reads stored profiles, one after the other, and mixes what is wanted of them. What would need too much memory is left
 * out, and it says so.
 *
 * @param limit of bytes that are mixed
 */
export const loadMix = async (
  stores: ProfileStores,
  wanted: readonly WantedProfile[],
  options: { readonly sums: boolean },
  limit: number = LIMITS.PROFILE_MERGED_BYTES,
): Promise<LoadedMix> => {
  const mixer = createMixer({ ...options, limit: LIMITS.PROFILE_SAMPLES_SHOWN })
  const records: ProfileRecord[] = []
  const ran: ReadonlyMap<number, number>[] = []
  const notes = new Set<string>()
  const threads = new Map<string, { name: string; samples: number }>()
  let about: ProfileAbout | null = null
  let main: string | null = null
  let bytes = 0
  let leftOut = 0
  for (const { record, parts } of wanted) {
    const blob = bytes > limit ? null : await stores.blobs.get(record.blobKey)
    // How large one is shows when it is read; what one answer cannot hold any more ends it.
    if (blob !== null) bytes += blob.byteLength
    if (blob === null || bytes > limit) {
      leftOut += 1
      continue
    }
    const form = decodeForm(blob)
    countThreads(form, threads)
    about = form.about
    // The pieces of one profile have one main thread.
    if (main === null || options.sums) main = mainThreadOf(form)
    for (const part of parts) {
      const thread = part.thread === 'main' ? main : (part.thread?.id ?? null)
      const times = await inSlices(mixer.add({ form, thread, from: part.from, to: part.to }))
      if (times.size > 0) ran.push(times)
    }
    records.push(record)
    for (const note of form.notes) notes.add(note)
  }
  return {
    mix: mixer.mix(),
    records,
    ran,
    threads,
    about,
    notes: [...notes].slice(0, LIMITS.PROFILE_NOTES),
    truncated: leftOut > 0 || mixer.isTruncated(),
  }
}

const countThreads = (
  { samples, threads }: ProfileForm,
  known: Map<string, { name: string; samples: number }>,
): void => {
  const counts = threads.map(() => 0)
  for (const place of samples.thread) counts[place] = (counts[place] ?? 0) + 1
  threads.forEach(({ id, name }, place) => {
    known.set(id, { name, samples: (known.get(id)?.samples ?? 0) + (counts[place] ?? 0) })
  })
}

/** All of it: the last sample stands for some time behind it, too. */
export const WHOLE: Stretch = { from: 0, to: Infinity }

type WantedProfile = { readonly record: ProfileRecord; readonly parts: readonly WantedPart[] }

/** What there is of a transaction: profiles that came with it, and its stretches of continuous ones. The latest, by time. */
export const profilesOfTransaction = async (
  stores: Pick<ProfileStores, 'profiles'>,
  scope: ProfileScope,
  choice: ProfileChoice,
): Promise<readonly WantedProfile[]> => {
  const [whole, segments] = await Promise.all([
    stores.profiles.ofTransaction(scope, choice, LIMITS.PROFILES_MERGED),
    stores.profiles.segments(scope, choice),
  ])
  const chunks = await chunksOf(stores, scope, segments)
  return [
    ...whole.map((record) => ({ record, parts: [{ ...WHOLE, thread: 'main' as const }] })),
    ...chunks.map((record) => ({ record, parts: partsOf(record, segments) })),
  ]
    .filter(({ parts }) => parts.length > 0)
    .toSorted((one, other) => one.record.start - other.record.start)
    .slice(-LIMITS.PROFILES_MERGED)
}

/** The sum of the latest profiles of a transaction. */
export const loadTransaction = async (
  stores: ProfileStores,
  scope: ProfileScope,
  choice: ProfileChoice,
): Promise<LoadedMix> => loadMix(stores, await profilesOfTransaction(stores, scope, choice), { sums: true })

const chunksOf = async (
  { profiles }: Pick<ProfileStores, 'profiles'>,
  scope: ProfileScope,
  segments: readonly ProfiledSegment[],
): Promise<readonly ProfileRecord[]> => {
  if (segments.length === 0) return []
  const profilers = [...new Set(segments.map(({ profilerId }) => profilerId))]
  const from = Math.min(...segments.map((segment) => segment.from))
  const to = Math.max(...segments.map((segment) => segment.to))
  return profiles.chunks(scope, profilers, { from, to })
}

/** What ran of the transaction while this chunk was taken. */
const partsOf = (record: ProfileRecord, segments: readonly ProfiledSegment[]): WantedPart[] =>
  segments
    .filter(
      ({ projectId, profilerId, from, to }) =>
        projectId === record.projectId &&
        profilerId === record.profilerId &&
        from <= record.start + record.duration &&
        to >= record.start,
    )
    .map(({ from, to, thread }) => ({
      from,
      to,
      thread: record.threads.includes(thread) ? { id: thread } : ('main' as const),
    }))

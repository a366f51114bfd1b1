import { inSlices } from '../lib/sliced-work.ts'
import { decodeForm, type ProfileForm } from './form.ts'
import { createLane, type LaneColumns } from './lane.ts'
import { LIMITS } from './limits.ts'
import { mainThreadOf, type ProfileStores } from './load.ts'
import { createFunctions, samplesByThread, timed } from './mix.ts'
import type { ProfiledSegment, ProfileRecord, ProfileScope, Stretch } from './profiles.view.ts'

/** What a profiler saw of one thread while a trace ran. */
export interface Lane extends Stretch {
  /** The profile of a transaction, or the first chunk of a continuous one. */
  readonly record: ProfileRecord
  readonly thread: { readonly id: string; readonly name: string }
  readonly samples: number
  /** Microseconds. */
  readonly stepLength: number
  readonly steps: LaneColumns
}

export interface Lanes {
  readonly lanes: readonly Lane[]
  readonly functions: Pick<ReturnType<typeof createFunctions>['columns'], 'name' | 'file' | 'line' | 'kind'>
  readonly words: readonly string[]
  /** There is more than is in it. */
  readonly truncated: boolean
}

/** Of one thread. */
interface Wanted {
  readonly records: readonly ProfileRecord[]
  /** '' for the one that the profile is about. */
  readonly thread: string
  readonly from: number
  /** Null for all: the last sample stands for some time behind it, too. */
  readonly to: number | null
}

const wantedOf = async (
  { profiles }: Pick<ProfileStores, 'profiles'>,
  scope: ProfileScope,
  traceId: string,
): Promise<readonly Wanted[]> => {
  const [named, threads] = await Promise.all([
    profiles.ofTrace(scope, traceId, LIMITS.PROFILES_MERGED),
    profiles.threadsOfTrace(scope, traceId),
  ])
  const whole = named
    .filter(({ profilerId }) => profilerId === '')
    .map((record) => ({ records: [record], thread: '', from: record.start, to: null }))
  const continuous = await Promise.all(
    threads.map(async ({ from, profilerId, projectId, thread, to }: ProfiledSegment) => {
      const own = { ...scope, projectIds: [projectId] }
      const chunks = await profiles.chunks(own, [profilerId], { from, to }, LIMITS.PROFILES_MERGED + 1)
      return { records: chunks, thread, from, to }
    }),
  )
  return [...whole, ...continuous]
    .filter(({ records }) => records.length > 0)
    .toSorted((one, other) => one.from - other.from)
}

/** What profilers saw while a trace ran, a lane for each profile and thread, the earliest first. */
export const loadLanes = async (
  stores: ProfileStores,
  scope: ProfileScope,
  traceId: string,
  limit: number = LIMITS.PROFILE_MERGED_BYTES,
): Promise<Lanes> => {
  const wanted = await wantedOf(stores, scope, traceId)
  const functions = createFunctions()
  const lanes: Lane[] = []
  let bytes = 0
  let leftOut = Math.max(0, wanted.length - LIMITS.PROFILE_LANES)
  for (const one of wanted.slice(0, LIMITS.PROFILE_LANES)) {
    const records = one.records.slice(-LIMITS.PROFILES_MERGED)
    leftOut += one.records.length - records.length
    let started: { readonly lane: ReturnType<typeof createLane>; readonly to: number } | null = null
    let ran: Lane['thread'] | null = null
    for (const record of records) {
      const blob = bytes > limit ? null : await stores.blobs.get(record.blobKey)
      if (blob !== null) bytes += blob.byteLength
      if (blob === null || bytes > limit) {
        leftOut += 1
        continue
      }
      const form = decodeForm(blob)
      // The pieces of one profile have one main thread.
      ran ??= threadOf(form, one.thread)
      if (started === null) {
        const to = one.to ?? endOf(form, ran.id)
        started = { lane: createLane(functions, { from: one.from, to }), to }
      }
      await inSlices(started.lane.add(form, ran.id))
    }
    const [record] = records
    if (record === undefined || started === null || ran === null || started.lane.samples() === 0) continue
    const { lane, to } = started
    const steps = lane.columns()
    lanes.push({ record, thread: ran, from: one.from, to, samples: lane.samples(), stepLength: lane.length, steps })
  }
  return { lanes, functions: functions.columns, words: functions.words.all(), truncated: leftOut > 0 }
}

const threadOf = (form: ProfileForm, asked: string): Lane['thread'] => {
  const id = form.threads.some((one) => one.id === asked) ? asked : mainThreadOf(form)
  return { id, name: form.threads.find((one) => one.id === id)?.name ?? '' }
}

/** When the last sample of a thread ends. */
const endOf = (form: ProfileForm, thread: string): number => {
  const own = samplesByThread(form)[form.threads.findIndex(({ id }) => id === thread)] ?? []
  const last = timed(form, own).at(-1)
  return last === undefined ? form.start + form.duration : last.at + last.weight
}

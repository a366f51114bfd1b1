import { FRAME_KINDS } from '@firsthand/contract'
import type { LoadedMix } from './load.ts'
import { frameTimes, type Mix } from './mix.ts'
import type { ProfileForm } from './form.ts'
import { LIMITS } from './limits.ts'
import type { ProfileRecord } from './profiles.view.ts'

/** Profiles in the shapes of Sentry's API. Its clients expect every field of them. */

type Json = Record<string, unknown>

const NANOSECONDS = 1000

/** From its root to the frame that ran, as speedscope writes stacks. */
const framesOf = ({ stacks }: Mix, stack: number): number[] => {
  const frames: number[] = []
  for (let place = stack; place !== -1; place = stacks.parent[place] ?? -1) frames.push(stacks.frame[place] ?? 0)
  return frames.reverse()
}

const wordOf = ({ words }: Mix, column: readonly number[], frame: number): string => words[column[frame] ?? -1] ?? ''

/** The same for the same function in each answer. */
const fingerprintOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

const frameJson = (mix: Mix, frame: number): Json => {
  const [name, file, module] = [mix.frames.name, mix.frames.file, mix.frames.module].map((column) =>
    wordOf(mix, column, frame),
  )
  return {
    name,
    file,
    path: file,
    ...(module === '' ? {} : { image: module }),
    line: mix.frames.line[frame] ?? 0,
    col: mix.frames.column[frame] ?? 0,
    is_application: mix.frames.kind[frame] === FRAME_KINDS.own,
    fingerprint: fingerprintOf(`${module ?? ''}\n${name ?? ''}`),
  }
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** How often and how long each frame ran: over all profiles, and in how long a one. */
const frameInfos = ({ mix, ran }: LoadedMix): Json[] => {
  const infos = mix.frames.name.map(() => ({ count: 0, total: 0, self: 0, each: [] as number[] }))
  for (const part of ran) {
    for (const [frame, { total, self }] of frameTimes(mix.stacks, part)) {
      const info = infos[frame]
      if (info === undefined) continue
      info.total += total
      info.self += self
      info.each.push(total)
    }
  }
  const { stack, count } = mix.samples
  const samplesOf = new Map(stack.map((place, index) => [place, count[index] ?? 0]))
  for (const [frame, { total }] of frameTimes(mix.stacks, samplesOf)) {
    const info = infos[frame]
    if (info !== undefined) info.count = total
  }
  return infos.map(({ count: samples, each, self, total }) => {
    const sorted = each.toSorted((one, other) => one - other)
    return {
      count: samples,
      weight: total * NANOSECONDS,
      sumDuration: total * NANOSECONDS,
      sumSelfTime: self * NANOSECONDS,
      p75Duration: percentile(sorted, 0.75) * NANOSECONDS,
      p95Duration: percentile(sorted, 0.95) * NANOSECONDS,
      p99Duration: percentile(sorted, 0.99) * NANOSECONDS,
    }
  })
}

/** A sum of profiles as a file of speedscope, with what Sentry adds to it. */
export const flamegraphJson = (
  loaded: LoadedMix,
  { projectId, transaction }: { readonly projectId: number; readonly transaction: string },
): Json => {
  const { mix, records } = loaded
  const used = mix.samples.stack.flatMap((stack, index) => (stack === -1 ? [] : [index]))
  const weights = used.map((index) => (mix.samples.weight[index] ?? 0) * NANOSECONDS)
  const platform = records.at(-1)?.platform ?? ''
  const profiles = [
    {
      type: 'sampled',
      name: transaction === '' ? 'profile' : transaction,
      unit: 'nanoseconds',
      threadID: 0,
      isMainThread: true,
      startValue: 0,
      endValue: weights.reduce((sum, weight) => sum + weight, 0),
      samples: used.map((index) => framesOf(mix, mix.samples.stack[index] ?? -1)),
      weights,
      sample_durations_ns: weights,
      sample_counts: used.map((index) => mix.samples.count[index] ?? 0),
    },
  ]
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    activeProfileIndex: 0,
    platform,
    projectID: projectId,
    transactionName: transaction,
    metadata: { platform, projectID: projectId, transactionName: transaction },
    profiles: used.length === 0 ? [] : profiles,
    shared: {
      frames: mix.frames.name.map((_, frame) => frameJson(mix, frame)),
      frame_infos: frameInfos(loaded),
      profiles: records.map(referenceJson),
    },
  }
}

const SECOND = 1_000_000

const referenceJson = (record: ProfileRecord): Json => ({
  project_id: record.projectId,
  ...(record.profilerId === ''
    ? { profile_id: record.profileId }
    : { profiler_id: record.profilerId, chunk_id: record.profileId }),
  start: record.start / SECOND,
  end: (record.start + record.duration) / SECOND,
})

/**
 * Samples, stacks and frames as SDKs send them, for those that read them so. Stacks repeat their callers here: only so many
 * samples are in it that they stay within a bound.
 *
 * @param timeJson when a sample was taken, by the time after the first
 */
const samplesJson = (mix: Mix, timeJson: (at: number) => Json): Json => {
  const places = new Map<number, number>()
  const stacks: number[][] = []
  const samples: Json[] = []
  let steps = 0
  for (const [index, stack] of mix.samples.stack.entries()) {
    let place = places.get(stack)
    if (place === undefined) {
      const frames = framesOf(mix, stack).reverse()
      steps += frames.length
      if (steps > LIMITS.PROFILE_FRAMES_SPELLED) break
      place = stacks.push(frames) - 1
      places.set(stack, place)
    }
    const thread = mix.threads[mix.samples.thread[index] ?? 0]
    samples.push({ stack_id: place, thread_id: thread?.id ?? '0', ...timeJson(mix.samples.at[index] ?? 0) })
  }
  return {
    frames: mix.frames.name.map((_, frame) => {
      const file = wordOf(mix, mix.frames.file, frame)
      const module = wordOf(mix, mix.frames.module, frame)
      return {
        function: wordOf(mix, mix.frames.name, frame),
        filename: file,
        abs_path: file,
        module: module === '' ? null : module,
        lineno: mix.frames.line[frame] ?? 0,
        colno: mix.frames.column[frame] ?? 0,
        in_app: mix.frames.kind[frame] === FRAME_KINDS.own,
      }
    }),
    stacks,
    samples,
    thread_metadata: Object.fromEntries(mix.threads.map(({ id, name }) => [id, { name: name === '' ? null : name }])),
  }
}

const surroundingsJson = (record: ProfileRecord, about: ProfileForm['about'] | null): Json => {
  const [sdk = '', version = ''] = record.sdk.split('/')
  return {
    platform: record.platform,
    release: record.release === '' ? null : record.release,
    environment: record.environment,
    project_id: record.projectId,
    client_sdk: { name: sdk, version },
    os: { name: about?.os ?? '' },
    device: { model: about?.device ?? '' },
    runtime: { name: about?.runtime ?? '' },
  }
}

/** The profile of one transaction. */
export const projectProfileJson = ({ about, mix }: LoadedMix, record: ProfileRecord): Json => ({
  ...surroundingsJson(record, about),
  event_id: record.profileId,
  profile_id: record.profileId,
  version: '1',
  timestamp: new Date(record.start / 1000).toISOString(),
  transaction: {
    id: record.transactionId,
    name: record.transaction,
    trace_id: record.traceId,
    active_thread_id: record.activeThread,
    relative_start_ns: 0,
    relative_end_ns: record.duration * NANOSECONDS,
  },
  profile: samplesJson(mix, (at) => ({ elapsed_since_start_ns: Math.max(0, at - record.start) * NANOSECONDS })),
})

/** A stretch of a continuous profile, as if it were one chunk. */
export const chunkJson = ({ about, mix }: LoadedMix, record: ProfileRecord): Json => ({
  ...surroundingsJson(record, about),
  // Of a chunk it is a text in Sentry, too.
  release: record.release,
  chunk_id: record.profileId,
  profiler_id: record.profilerId,
  version: '2',
  profile: samplesJson(mix, (at) => ({ timestamp: at / SECOND })),
})

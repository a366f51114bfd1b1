import { isObject } from '@firsthand/protocol'
import type { ProjectSettings } from '../../accounts/index.ts'
import { readJson, readTime, readTraceId } from '../../event/index.ts'
import type { DigestItem, Drop } from '../../ingest/index.ts'
import { drop } from '../../ingest/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { createClockOf } from '../../traces/index.ts'
import type { ProfileAbout, ProfileForm } from '../form.ts'
import { LIMITS } from '../limits.ts'
import { readFrames } from './read-frames.ts'
import { readImages } from './images.ts'
import { readSamples } from './read-samples.ts'

type Raw = Readonly<Record<string, unknown>>

/** What one item says. */
export interface ReadProfile {
  /** Of a profile; of a chunk its own id. 32 hex characters. */
  readonly id: string
  /** Of the profiler whose chunk it is; '' for the profile of one transaction. */
  readonly profilerId: string
  readonly traceId: string
  /** Event id of its transaction. */
  readonly transactionId: string
  /** What it calls its transaction. */
  readonly transaction: string
  readonly release: string
  readonly environment: string
  readonly form: ProfileForm
}

/**
 * A profile of one transaction (`profile`, version 1) or a piece of a profile that goes on and on (`profile_chunk`, version
 * 2): protocol.md 3.12. Both are samples of stacks of frames, and become the same form.
 */
export const readProfile = (
  item: DigestItem,
  settings: Pick<ProjectSettings, 'scrubbing'>,
): Result<ReadProfile, Drop> => {
  const json = readJson(item.item.payload)
  if (!json.ok) return json
  const raw = json.value.value
  if (!isObject(raw)) return invalid('The payload of a profile must be a JSON object.')
  const profile = raw['profile']
  if (!isObject(profile)) {
    const isTrace = typeof raw['sampled_profile'] === 'string'
    return invalid(isTrace ? 'Traces of Android are not read.' : 'A profile must have samples, stacks and frames.')
  }
  const isChunk = item.item.header.type === 'profile_chunk'
  const id = readTraceId(isChunk ? raw['chunk_id'] : raw['event_id']) ?? (isChunk ? null : item.eventId)
  const profilerId = isChunk ? readTraceId(raw['profiler_id']) : ''
  if (id === null || profilerId === null) return invalid('A profile must have an id, and a chunk that of its profiler.')
  const transaction = transactionIn(raw)
  const images = readImages(isObject(raw['debug_meta']) ? raw['debug_meta']['images'] : undefined)
  const frames = readFrames(listOf(profile['frames']), images, settings)
  const about = aboutOf(raw, item)
  const samples = readSamples({
    idleStack: isChunk && isFirstStackIdle(about.sdk, profile) ? 0 : -1,
    samples: listOf(profile['samples']),
    stacks: listOf(profile['stacks']),
    threadMetadata: profile['thread_metadata'],
    placeOf: frames.placeOf,
    timeOf: isChunk ? (sample) => numberOf(sample['timestamp']) : elapsedFrom(startOf(raw, item)),
  })
  if (samples === null) return invalid('None of its samples can be read.')
  const interval = createClockOf(item.header.sentAt, item.receivedAt).interval(samples.first, samples.last)
  if (interval === null) return invalid('Its samples have no time.')
  const notes = [...frames.notes, ...samples.notes, ...(interval.note === null ? [] : [interval.note])]
  return ok({
    id,
    profilerId,
    traceId: readTraceId(transaction['trace_id']) ?? '',
    transactionId: readTraceId(transaction['id']) ?? '',
    transaction: wordOf(transaction['name'], LIMITS.PROFILE_NAME_CHARS),
    release: wordOf(raw['release'], LIMITS.PROFILE_WORD_CHARS),
    environment: wordOf(raw['environment'], LIMITS.PROFILE_WORD_CHARS),
    form: {
      form: 1,
      platform: wordOf(raw['platform'], LIMITS.PROFILE_WORD_CHARS),
      start: interval.start,
      duration: interval.duration,
      words: frames.words,
      frames: frames.columns,
      stacks: samples.stacks,
      threads: samples.threads,
      samples: samples.samples,
      activeThread: wordOf(transaction['active_thread_id'], LIMITS.PROFILE_WORD_CHARS),
      about,
      notes: notes.slice(0, LIMITS.PROFILE_NOTES),
    },
  })
}

const invalid = (detail: string): Result<never, Drop> => err(drop('invalid', 'invalid_profile', detail))

const listOf = (sent: unknown): readonly unknown[] => (Array.isArray(sent) ? sent : [])

/** Numbers of 64 bits come as text from some SDKs. */
const numberOf = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : NaN

const wordOf = (value: unknown, limit: number): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, limit).toWellFormed() : ''

const NANOSECONDS = 1_000_000_000

const elapsedFrom =
  (start: number) =>
  (sample: Raw): number => {
    const elapsed = numberOf(sample['elapsed_since_start_ns'])
    return elapsed >= 0 ? start + elapsed / NANOSECONDS : NaN
  }

/** Seconds of the sender's clock. */
const startOf = (raw: Raw, item: DigestItem): number => {
  const received = item.receivedAt / 1000
  return readTime(raw['timestamp'], received) ?? (item.header.sentAt ?? item.receivedAt) / 1000
}

/** Older SDKs send a list of one. */
const transactionIn = (raw: Raw): Raw => {
  if (isObject(raw['transaction'])) return raw['transaction']
  const [first] = listOf(raw['transactions'])
  return isObject(first) ? first : {}
}

const aboutOf = (raw: Raw, item: DigestItem): ProfileAbout => {
  const part = (name: string): Raw => (isObject(raw[name]) ? raw[name] : {})
  const words = (...values: readonly unknown[]): string =>
    values
      .map((value) => wordOf(value, LIMITS.PROFILE_WORD_CHARS).trim())
      .filter((word) => word !== '')
      .join(' ')
  const [os, device, runtime, sdk] = [part('os'), part('device'), part('runtime'), part('client_sdk')]
  const named = words(sdk['name'], sdk['version']).replace(' ', '/')
  return {
    sdk: named === '' ? item.sender.sdk.slice(0, LIMITS.PROFILE_WORD_CHARS) : named,
    runtime: words(runtime['name'], runtime['version']),
    os: words(os['name'], os['version']),
    device: words(device['manufacturer'], device['model']),
    architecture: words(device['architecture'] ?? device['arch']),
  }
}

/**
 * SDKs for browsers before 11.12 name the first stack where nothing ran: all the time in which a page is idle would be that
 * of one function. The profiler of browsers makes the frames at the bottom first, so that the first stack is a single one,
 * which does hardly anything by itself. Later SDKs have a stack without frames for it.
 */
const isFirstStackIdle = (sdk: string, profile: Raw): boolean => {
  const [, major = 0, minor = 0] = /^sentry\.javascript\.[^/]+\/(\d+)\.(\d+)\./.exec(sdk)?.map(Number) ?? []
  if (major < 8 || major > 11 || (major === 11 && minor >= 12)) return false
  const stacks = listOf(profile['stacks'])
  const [first] = stacks
  return Array.isArray(first) && first.length === 1 && isOfBrowser(profile)
}

/** Its one thread is called so; a server's profiler has stacks of its own for what is idle. */
const isOfBrowser = (profile: Raw): boolean => {
  const threads = isObject(profile['thread_metadata']) ? profile['thread_metadata'] : {}
  const main = threads['0']
  return isObject(main) && (main['name'] === 'main' || main['name'] === 'worker')
}

import { isObject } from '@firsthand/protocol'
import type { ProfileThread, SampleColumns, StackColumns } from '../form.ts'
import { LIMITS } from '../limits.ts'

/** Samples by time, the tree of their stacks, and what was wrong with them. */
export interface ReadSamples {
  readonly samples: SampleColumns
  readonly stacks: StackColumns
  readonly threads: readonly ProfileThread[]
  /** Seconds of the sender's clock, of the first and the last sample. */
  readonly first: number
  readonly last: number
  readonly notes: readonly string[]
}

interface Sent {
  readonly samples: readonly unknown[]
  readonly stacks: readonly unknown[]
  readonly threadMetadata: unknown
  /** Of `ReadFrames`. */
  readonly placeOf: Int32Array
  /** The stack that stands for none; -1 when there is no such. */
  readonly idleStack: number
  /** Seconds at which a sample was taken; NaN when it does not say. */
  readonly timeOf: (sample: Readonly<Record<string, unknown>>) => number
}

const MICROSECONDS = 1_000_000

interface Taken {
  readonly time: number
  readonly stack: number
  readonly thread: number
}

/** Null when no sample can be read. */
export const readSamples = (sent: Sent): ReadSamples | null => {
  const threads = createThreads(sent.threadMetadata)
  const stacks = createStacks(sent)
  const taken: Taken[] = []
  let unreadable = 0
  for (const raw of sent.samples.slice(0, LIMITS.PROFILE_SAMPLES)) {
    const time = isObject(raw) ? sent.timeOf(raw) : NaN
    const stack = isObject(raw) ? raw['stack_id'] : undefined
    const thread = isObject(raw) && Number.isFinite(time) ? threads.place(raw['thread_id']) : -1
    if (thread === -1 || !stacks.has(stack)) unreadable += 1
    else taken.push({ time, thread, stack })
  }
  const { kept, strange } = withoutStrangeTimes(taken)
  const first = kept[0]?.time
  const last = kept.at(-1)?.time
  if (first === undefined || last === undefined) return null
  const samples = { thread: [] as number[], stack: [] as number[], at: [] as number[] }
  for (const { time, thread, stack } of kept) {
    samples.thread.push(thread)
    samples.stack.push(stacks.place(stack))
    samples.at.push(Math.round((time - first) * MICROSECONDS))
  }
  const beyond = Math.max(0, sent.samples.length - LIMITS.PROFILE_SAMPLES)
  const notes = [
    say(unreadable, 'of its samples cannot be read: they name a stack that is not there, or no time.'),
    say(strange, 'of its samples were left out: their time is far from that of the others.'),
    say(beyond, 'of its samples were left out: there are too many.'),
    ...stacks.notes(),
  ].filter((note) => note !== '')
  return { samples, stacks: stacks.columns, threads: threads.all(), first, last, notes }
}

const say = (count: number, what: string): string => (count === 0 ? '' : `${count} ${what}`)

/** By time. One clock that leapt must not make a profile of years. */
const withoutStrangeTimes = (taken: readonly Taken[]) => {
  const byTime = taken.toSorted((one, other) => one.time - other.time)
  const middle = byTime[byTime.length >>> 1]?.time ?? 0
  const kept = byTime.filter(({ time }) => Math.abs(time - middle) <= LIMITS.PROFILE_SPREAD_SECONDS)
  return { kept, strange: byTime.length - kept.length }
}

/** Threads in the order in which they are named. */
const createThreads = (metadata: unknown) => {
  const places = new Map<string, number>()
  return {
    place: (sent: unknown): number => {
      if (typeof sent !== 'string' && typeof sent !== 'number') return -1
      const id = String(sent).slice(0, LIMITS.PROFILE_WORD_CHARS).toWellFormed()
      const known = places.get(id)
      if (known !== undefined) return known
      if (places.size >= LIMITS.PROFILE_THREADS) return -1
      places.set(id, places.size)
      return places.size - 1
    },
    all: (): ProfileThread[] =>
      [...places.keys()].map((id) => {
        const about = isObject(metadata) && Object.hasOwn(metadata, id) ? metadata[id] : undefined
        const name = isObject(about) && typeof about['name'] === 'string' ? about['name'] : ''
        return { id, name: name.slice(0, LIMITS.PROFILE_WORD_CHARS).toWellFormed() }
      }),
  }
}

const UNREAD = -2

/** Stacks as SDKs send them, the frame that ran first, become one tree. Only those are read of which there are samples. */
const createStacks = ({ stacks: sent, placeOf, idleStack }: Sent) => {
  const columns = { frame: [] as number[], parent: [] as number[] }
  const below = new Map<number, number>()
  const places = new Int32Array(sent.length).fill(UNREAD)
  if (idleStack !== -1) places[idleStack] = -1
  let steps = 0
  let missing = 0
  let cut = 0

  /** The place of a frame below another; -1 when the tree is full. */
  const child = (parent: number, frame: number): number => {
    const key = (parent + 1) * LIMITS.PROFILE_FRAMES + frame
    const known = below.get(key)
    if (known !== undefined) return known
    if (columns.frame.length >= LIMITS.PROFILE_STACKS) return -1
    below.set(key, columns.frame.length)
    columns.frame.push(frame)
    columns.parent.push(parent)
    return columns.frame.length - 1
  }

  const read = (stack: readonly unknown[]): number => {
    let place = -1
    // What runs stands first. Node names its idle time as called by `(root)`, which runs as little.
    if (placeOf[Number(stack[0])] === -1) return place
    const end = Math.max(0, stack.length - LIMITS.PROFILE_STACK_FRAMES)
    // What called all of it stands last, and stays.
    for (let index = stack.length - 1; index >= end; index -= 1) {
      const sentFrame = stack[index]
      const frame = typeof sentFrame === 'number' ? placeOf[sentFrame] : undefined
      steps += 1
      const next = frame === undefined || frame === -1 ? place : child(place, frame)
      if (frame === undefined) missing += 1
      if (steps > LIMITS.PROFILE_STACK_STEPS || (next === -1 && place !== -1)) {
        cut += 1
        return place
      }
      place = next
    }
    if (end > 0) cut += 1
    return place
  }

  return {
    columns,
    has: (index: unknown): index is number => typeof index === 'number' && Array.isArray(sent[index]),
    place: (index: number): number => {
      if (places[index] === UNREAD) places[index] = read(sent[index] as readonly unknown[])
      return places[index] as number
    },
    notes: (): readonly string[] => [
      say(missing, 'frames of its stacks are not there.'),
      say(cut, 'of its stacks were cut: they are too deep, or too many.'),
    ],
  }
}

import type { Steps } from '../lib/sliced-work.ts'
import type { FrameColumns, ProfileForm, ProfileThread, StackColumns } from './form.ts'

/** Samples of one or many profiles as one: the same functions are the same frames, whatever profile they come from. */
export interface Mix {
  readonly words: readonly string[]
  /** A frame for each function. Names are what is shown: never empty. */
  readonly frames: FrameColumns
  readonly stacks: StackColumns
  readonly threads: readonly ProfileThread[]
  readonly samples: MixedSamples
}

export interface MixedSamples {
  /** Index in `threads`. */
  readonly thread: readonly number[]
  /** Index in `stacks`; -1 where nothing ran. */
  readonly stack: readonly number[]
  /** Microseconds since the epoch. */
  readonly at: readonly number[]
  /** Microseconds that it stands for. */
  readonly weight: readonly number[]
  /** How many samples it stands for. */
  readonly count: readonly number[]
}

/** What of a profile is wanted. */
export interface Part {
  readonly form: ProfileForm
  /** Null for all. */
  readonly thread: string | null
  /** Microseconds since the epoch. */
  readonly from: number
  readonly to: number
}

/** Stacks, and samples, between two of which other work of the thread can run. */
export const SLICE = 5000

/** What a sample stands for when it is the only one of its thread: most profilers take a hundred a second. */
export const USUAL_MICROS = 10_000

export interface Timed {
  /** Index in the samples of the form. */
  readonly sample: number
  /** Microseconds since the epoch. */
  readonly at: number
  readonly weight: number
}

/** Indexes of the samples of each thread. */
export const samplesByThread = ({ samples, threads }: ProfileForm): readonly (readonly number[])[] => {
  const own: number[][] = threads.map(() => [])
  samples.thread.forEach((place, sample) => own[place]?.push(sample))
  return own
}

/** Samples of one thread: each stands for the time to the next one, the last for the median of the others. */
export const timed = ({ samples, start }: ProfileForm, own: readonly number[]): readonly Timed[] => {
  const weights = own.slice(1).map((sample, index) => (samples.at[sample] ?? 0) - (samples.at[own[index] ?? 0] ?? 0))
  const sorted = weights.toSorted((one, other) => one - other)
  const median = sorted[(sorted.length - 1) >>> 1] ?? USUAL_MICROS
  return own.map((sample, index) => ({
    sample,
    at: start + (samples.at[sample] ?? 0),
    weight: weights[index] ?? median,
  }))
}

/** In some languages many functions have one name: minified ones all of them. There the line tells them apart. */
const TOLD_BY_LINE: ReadonlySet<string> = new Set(['javascript', 'node'])

/** Functions of many profiles, each once. */
export const createFunctions = () => {
  const words = createPlaces<string>()
  const functions = createPlaces<string>()
  const columns = { name: [], file: [], module: [], address: [], line: [], column: [], kind: [] } as {
    -readonly [Name in keyof FrameColumns]: number[]
  }
  return {
    columns,
    words,
    place: ({ frames, platform, words: sent }: ProfileForm, frame: number): number => {
      const text = (column: readonly number[]): string => sent[column[frame] ?? -1] ?? ''
      const [name, file, module, address] = [
        text(frames.name),
        text(frames.file),
        text(frames.module),
        text(frames.address),
      ]
      const [line, column] = [frames.line[frame] ?? 0, frames.column[frame] ?? 0]
      const where = name === '' || TOLD_BY_LINE.has(platform) ? [line, column] : []
      const what = name === '' ? [address] : []
      const known = functions.size()
      const place = functions.place(JSON.stringify([name, file, module, ...what, ...where]))
      if (place < known) return place
      columns.name.push(words.place(name === '' ? nameWithout(address, module) : name))
      columns.file.push(words.place(file))
      columns.module.push(words.place(module))
      columns.address.push(words.place(address))
      columns.line.push(line)
      columns.column.push(column)
      columns.kind.push(frames.kind[frame] ?? 0)
      return place
    },
  }
}

/** The call tree of many profiles. */
const createTree = (functions: ReturnType<typeof createFunctions>) => {
  const columns = { frame: [] as number[], parent: [] as number[] }
  const nodes = createPlaces<string>()
  return {
    columns,
    /** Places of the stacks of a form in the tree; only of those that its samples need. */
    place: function* (form: ProfileForm, wanted: readonly Timed[]): Steps<Int32Array> {
      const { frame, parent } = form.stacks
      const isUsed = new Uint8Array(frame.length)
      for (const { sample } of wanted) isUsed[form.samples.stack[sample] ?? -1] = 1
      for (let stack = frame.length - 1; stack >= 0; stack -= 1) {
        if (isUsed[stack] === 1) isUsed[parent[stack] ?? -1] = 1
      }
      const functionOf = new Map<number, number>()
      const places = new Int32Array(frame.length).fill(-1)
      for (let stack = 0; stack < frame.length; stack += 1) {
        if (stack % SLICE === SLICE - 1) yield
        if (isUsed[stack] !== 1) continue
        const sent = frame[stack] ?? 0
        const placed = functionOf.get(sent) ?? functions.place(form, sent)
        functionOf.set(sent, placed)
        const above = places[parent[stack] ?? -1] ?? -1
        const known = nodes.size()
        const place = nodes.place(`${above} ${placed}`)
        places[stack] = place
        if (place < known) continue
        columns.frame.push(placed)
        columns.parent.push(above)
      }
      return places
    },
  }
}

/** @param limit of samples that are kept @param sums samples of the same stack become one */
const createSamples = (limit: number, sums: boolean) => {
  const columns = {
    thread: [] as number[],
    stack: [] as number[],
    at: [] as number[],
    weight: [] as number[],
    count: [] as number[],
  }
  const sumOf = new Map<number, number>()
  let truncated = false
  return {
    columns,
    isTruncated: (): boolean => truncated,
    push: (thread: number, stack: number, at: number, weight: number): void => {
      const known = sums ? sumOf.get(stack) : undefined
      if (known !== undefined) {
        columns.weight[known] = (columns.weight[known] ?? 0) + weight
        columns.count[known] = (columns.count[known] ?? 0) + 1
        return
      }
      if (columns.at.length >= limit) {
        truncated = true
        return
      }
      if (sums) sumOf.set(stack, columns.at.length)
      columns.thread.push(thread)
      columns.stack.push(stack)
      columns.at.push(at)
      columns.weight.push(weight)
      columns.count.push(1)
    },
  }
}

/** @param options `sums`: samples of the same stack become one; `limit`: of samples that are kept */
export const createMixer = ({ sums, limit }: { readonly sums: boolean; readonly limit: number }) => {
  const functions = createFunctions()
  const tree = createTree(functions)
  const samples = createSamples(limit, sums)
  const threads: ProfileThread[] = []
  const threadPlaces = createPlaces<string>()
  return {
    isTruncated: samples.isTruncated,
    mix: (): Mix => ({
      words: functions.words.all(),
      frames: functions.columns,
      stacks: tree.columns,
      threads,
      samples: samples.columns,
    }),
    /** In slices, as one profile may have a quarter of a million stacks. @returns by mixed stack, how long it ran in this part */
    add: function* ({ form, thread, from, to }: Part): Steps<ReadonlyMap<number, number>> {
      const ran = new Map<number, number>()
      for (const [place, own] of samplesByThread(form).entries()) {
        const one = form.threads[place]
        if (one === undefined || (thread !== null && one.id !== thread)) continue
        const inside = timed(form, own).filter(({ at, weight }) => at <= to && at + weight >= from)
        if (inside.length === 0) continue
        yield
        const mixedThread = threadPlaces.place(one.id)
        if (mixedThread === threads.length) threads.push(one)
        const places = yield* tree.place(form, inside)
        for (const [index, { sample, at, weight }] of inside.entries()) {
          if (index % SLICE === SLICE - 1) yield
          const begin = Math.max(at, from)
          const spent = Math.max(0, Math.min(at + weight, to) - begin)
          const stack = places[form.samples.stack[sample] ?? -1] ?? -1
          samples.push(mixedThread, stack, begin, spent)
          ran.set(stack, (ran.get(stack) ?? 0) + spent)
        }
      }
      return ran
    },
  }
}

/** What is shown for a function whose name nobody knows. */
const nameWithout = (address: string, module: string): string => {
  if (address === '') return '(anonymous)'
  return module === '' ? address : `${module} ${address}`
}

/** Each value once, and its place in the order in which they came. */
const createPlaces = <Value>() => {
  const places = new Map<Value, number>()
  return {
    place: (value: Value): number => {
      const known = places.get(value)
      if (known !== undefined) return known
      places.set(value, places.size)
      return places.size - 1
    },
    size: (): number => places.size,
    all: (): Value[] => [...places.keys()],
  }
}

/** How long each frame ran, by itself and with all that it called. A frame that calls itself is counted once. */
export const frameTimes = (
  { frame, parent }: StackColumns,
  ran: ReadonlyMap<number, number>,
): ReadonlyMap<number, { readonly total: number; readonly self: number }> => {
  const times = new Map<number, { total: number; self: number }>()
  const seenIn = new Map<number, number>()
  let walk = 0
  for (const [stack, spent] of ran) {
    walk += 1
    for (let place = stack; place !== -1; place = parent[place] ?? -1) {
      const one = frame[place] ?? 0
      const known = times.get(one) ?? { total: 0, self: 0 }
      times.set(one, known)
      if (place === stack) known.self += spent
      if (seenIn.get(one) === walk) continue
      seenIn.set(one, walk)
      known.total += spent
    }
  }
  return times
}

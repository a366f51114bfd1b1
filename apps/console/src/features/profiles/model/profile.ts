import type { Profile } from '@firsthand/contract'

/** A profile as arrays: entry `i` of each is about the same frame, stack or sample. */
export interface ProfileModel {
  readonly frames: number
  readonly name: readonly string[]
  /** `cart.ts:12`, a library, or ''. */
  readonly place: readonly string[]
  readonly kind: Uint8Array
  /** The call tree: each stack is a frame, called by another stack (-1 for none). Callers come first. */
  readonly stackFrame: Int32Array
  readonly stackParent: Int32Array
  /** -1 where nothing ran. */
  readonly sampleStack: Int32Array
  /** Microseconds after the start. */
  readonly sampleAt: Float64Array
  readonly sampleWeight: Float64Array
  readonly sampleCount: Float64Array
  /** Microseconds in which something ran, and in which nothing did. */
  readonly ran: number
  readonly waited: number
  /** How many samples there were. */
  readonly samples: number
}

export function readProfile(profile: Profile): ProfileModel {
  const { frames, samples, stacks, words } = profile
  const word = (index: number | undefined): string => words[index ?? -1] ?? ''
  let ran = 0
  let waited = 0
  let count = 0
  samples.weight.forEach((weight, index) => {
    if (samples.stack[index] === -1) waited += weight
    else ran += weight
    count += samples.count[index] ?? 0
  })
  return {
    frames: frames.name.length,
    name: frames.name.map(word),
    place: frames.file.map((file, frame) =>
      placeOf(word(file), word(frames.module[frame]), frames.line[frame] ?? 0, frames.column[frame] ?? 0),
    ),
    kind: Uint8Array.from(frames.kind),
    stackFrame: Int32Array.from(stacks.frame),
    stackParent: Int32Array.from(stacks.parent),
    sampleStack: Int32Array.from(samples.stack),
    sampleAt: Float64Array.from(samples.at),
    sampleWeight: Float64Array.from(samples.weight),
    sampleCount: Float64Array.from(samples.count),
    ran,
    waited,
    samples: count,
  }
}

/** Of minified files, in which all is in one line, the column says more than the line. */
function placeOf(file: string, module: string, line: number, column: number): string {
  if (file === '') return module
  const where = line === 0 ? '' : column === 0 ? `:${line}` : `:${line}:${column}`
  return `${file}${where}`
}

/** The end of a path, which tells files apart where there is little room. */
export function shortPlace(place: string): string {
  const parts = place.split(/[\\/]/)
  return parts.slice(-2).join('/')
}

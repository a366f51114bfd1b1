/**
 * A profile of any SDK and version, in the one form in which it is kept: a blob of JSON. Columns, so that it is small, and
 * read in a moment.
 */
export interface ProfileForm {
  /** By which a later one can be told from it. */
  readonly form: 1
  readonly platform: string
  /** Microseconds since the epoch. */
  readonly start: number
  /** Microseconds between the first and the last sample. */
  readonly duration: number
  /** Each text once. */
  readonly words: readonly string[]
  readonly frames: FrameColumns
  /** A tree: each entry is a frame below that of its parent. Parents come first. */
  readonly stacks: StackColumns
  readonly threads: readonly ProfileThread[]
  readonly samples: SampleColumns
  /** Of the thread that did what the profile is about; '' when nobody said. */
  readonly activeThread: string
  readonly about: ProfileAbout
  /** Sentences about what was changed or left out. */
  readonly notes: readonly string[]
}

/** Entry `i` of every list is about the same frame; texts are indexes in `words`. */
export interface FrameColumns {
  /** Of the function; the empty text when nobody knows it. */
  readonly name: readonly number[]
  readonly file: readonly number[]
  readonly module: readonly number[]
  /** Where its instruction lies, in its module when that is known. */
  readonly address: readonly number[]
  /** 0 for unknown. */
  readonly line: readonly number[]
  readonly column: readonly number[]
  /** One of `FRAME_KINDS` of the contract. */
  readonly kind: readonly number[]
}

export interface StackColumns {
  /** Index in `frames`. */
  readonly frame: readonly number[]
  /** Index in `stacks`; -1 for a root. */
  readonly parent: readonly number[]
}

export interface ProfileThread {
  readonly id: string
  readonly name: string
}

/** By time. */
export interface SampleColumns {
  /** Index in `threads`. */
  readonly thread: readonly number[]
  /** Index in `stacks`: the frame that ran; -1 when none did. */
  readonly stack: readonly number[]
  /** Microseconds after the start. */
  readonly at: readonly number[]
}

/** What it ran on, as far as its SDK said. */
export interface ProfileAbout {
  readonly sdk: string
  readonly runtime: string
  readonly os: string
  readonly device: string
  readonly architecture: string
}

export const encodeForm = (form: ProfileForm): Uint8Array => Buffer.from(JSON.stringify(form))

export const decodeForm = (bytes: Uint8Array): ProfileForm =>
  JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as ProfileForm

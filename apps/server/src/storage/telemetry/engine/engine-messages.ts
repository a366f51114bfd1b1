/** A part that the engine shows although not all of it is on disk. */
export interface CutPart {
  readonly table: string
  readonly name: string
  readonly partition: string
  readonly firstBlock: number
  readonly lastBlock: number
  readonly rows: number
  /** Of an insert that was not answered: who sent its rows sends them again. */
  readonly unanswered: boolean
}

/** What the engine process tells its parent. */
export type EngineMessage =
  | { readonly kind: 'ready' }
  /** The data folder could not be opened; `message` is the engine's. The process ends after it. */
  | { readonly kind: 'failed'; readonly message: string }
  /** A statement failed because data on disk cannot be read; `message` is the engine's. Whoever asked may be gone. */
  | { readonly kind: 'damaged'; readonly message: string }
  /** Parts were cut by a full disk. The process ends after it, and finds them, and what they were merged from, at its start. */
  | { readonly kind: 'cut'; readonly parts: readonly CutPart[] }

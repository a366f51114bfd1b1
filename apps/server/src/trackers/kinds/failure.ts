/** There was no answer of use. */
export class TrackerFailure extends Error {
  /** Asking again is no use as long as nobody changes anything. */
  readonly isFinal: boolean
  /** Whoever answered wants to be left alone for so long. */
  readonly afterMs: number

  constructor(sentence: string, { isFinal = false, afterMs = 0 }: { isFinal?: boolean; afterMs?: number } = {}) {
    super(sentence)
    this.isFinal = isFinal
    this.afterMs = afterMs
  }
}

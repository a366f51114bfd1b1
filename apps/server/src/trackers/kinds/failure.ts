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

/** A ticket was moved out of the place of its connection, which is well: its state there is no longer its own. */
export class TicketMoved extends TrackerFailure {
  /** @param address where it is; '' where the tracker does not say */
  constructor(address: string) {
    const where = address === '' ? 'The page that it had says where it is.' : `It is ${address} now.`
    super(`The ticket was moved, and no longer follows. ${where} Link that one, and take this one off.`, {
      isFinal: true,
    })
  }
}

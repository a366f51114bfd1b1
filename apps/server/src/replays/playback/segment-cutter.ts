import { ChunkCutter, EventType, type RecordedChunk, type RecordedEvent } from '@firsthand/recording'
import { LIMITS } from '../limits.ts'

/** What is drawn; notes of the SDK are not. */
const DRAWN: ReadonlySet<number> = new Set([EventType.FullSnapshot, EventType.IncrementalSnapshot, EventType.Meta])

/** Cuts a replay into chunks, segment by segment; those that overlap are put into the order of their times. */
export class SegmentCutter {
  readonly #cutter = new ChunkCutter()
  /** By time; the segments that come next may have something before these. */
  #waiting: readonly RecordedEvent[] = []
  #waitingBytes = 0

  /** @param events of the last chunk of what was cut before */
  goOn(events: readonly RecordedEvent[]): RecordedChunk[] {
    return this.#cutter.goOn(events)
  }

  /**
   * @param events by time
   * @param given.shift milliseconds that are added to their times
   * @param given.bytes of the segment, as JSON
   * @param given.until no later segment begins before this
   * @returns each as it is finished: nobody holds all of them, which can be many times as large
   */
  *add(
    events: readonly RecordedEvent[],
    given: { readonly shift: number; readonly bytes: number; readonly until: number },
  ): Generator<RecordedChunk> {
    const drawn = events.flatMap((event) =>
      DRAWN.has(event.type) ? [{ ...event, timestamp: event.timestamp + given.shift }] : [],
    )
    this.#waiting = this.#waiting.length === 0 ? drawn : merge(this.#waiting, drawn)
    this.#waitingBytes += given.bytes
    // Times of a hostile recording may say that nothing is ever over.
    yield* this.#cut(this.#waitingBytes > LIMITS.REPLAY_OVERLAP_BYTES ? Infinity : given.until)
  }

  /** @returns what was left */
  *end(): Generator<RecordedChunk> {
    yield* this.#cut(Infinity)
    const end = this.#cutter.end()
    if (end !== null) yield end
  }

  *#cut(until: number): Generator<RecordedChunk> {
    const first = this.#waiting.findIndex(({ timestamp }) => timestamp >= until)
    const count = first === -1 ? this.#waiting.length : first
    const due = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    if (this.#waiting.length === 0) this.#waitingBytes = 0
    for (const event of due) {
      const chunk = this.#cutter.add(event)
      if (chunk !== null) yield chunk
    }
  }
}

/** Of equal times, those of the first list come first. */
const merge = (first: readonly RecordedEvent[], second: readonly RecordedEvent[]): RecordedEvent[] =>
  [...first, ...second].toSorted((one, other) => one.timestamp - other.timestamp)

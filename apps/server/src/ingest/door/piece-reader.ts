/** Reads a body that comes in pieces, of which it holds no more than it is asked for. */
export class PieceReader {
  readonly #source: AsyncIterator<Buffer>
  #piece: Buffer = NOTHING

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Nothing follows. */
  async isAtEnd(): Promise<boolean> {
    while (this.#piece.byteLength === 0) {
      const next = await this.#source.next()
      if (next.done === true) return true
      this.#piece = next.value
    }
    return false
  }

  /** The next bytes, fewer only at the end. */
  async *take(bytes: number): AsyncGenerator<Buffer, void> {
    for (let left = bytes; left > 0 && !(await this.isAtEnd());) {
      const piece = this.#next(left)
      left -= piece.byteLength
      yield piece
    }
  }

  /** All that follows. */
  async *rest(): AsyncGenerator<Buffer, void> {
    while (!(await this.isAtEnd())) yield this.#next(this.#piece.byteLength)
  }

  /**
   * What comes before the mark, or before the end; the mark itself is passed.
   *
   * @returns whether there was one
   */
  async *until(mark: Buffer): AsyncGenerator<Buffer, boolean> {
    const kept = mark.byteLength - 1
    while (!(await this.isAtEnd())) {
      const at = this.#piece.indexOf(mark)
      if (at >= 0) {
        if (at > 0) yield this.#next(at)
        this.#next(mark.byteLength)
        return true
      }
      // The mark may begin in this piece and end in the next.
      const sure = this.#piece.byteLength - kept
      if (sure > 0) yield this.#next(sure)
      const tail = this.#piece
      this.#piece = NOTHING
      if (await this.isAtEnd()) {
        if (tail.byteLength > 0) yield tail
        return false
      }
      if (tail.byteLength > 0) this.#piece = Buffer.concat([tail, this.#piece])
    }
    return false
  }

  /** As `until`, at once; null when there is no mark within so many bytes, of which `most` and one more are read then. */
  async before(mark: Buffer, most: number): Promise<{ readonly bytes: Buffer; readonly isMarked: boolean }> {
    const pieces: Buffer[] = []
    let bytes = 0
    const reading = this.until(mark)
    for (;;) {
      const next = await reading.next()
      if (next.done === true) return { bytes: Buffer.concat(pieces), isMarked: next.value }
      pieces.push(next.value)
      bytes += next.value.byteLength
      if (bytes > most) return { bytes: Buffer.concat(pieces).subarray(0, most + 1), isMarked: false }
    }
  }

  /** Passes line feeds, also with a carriage return before them. @returns how many bytes */
  async passBlankLines(): Promise<number> {
    let passed = 0
    while (!(await this.isAtEnd())) {
      let at = 0
      for (;;) {
        if (this.#piece[at] === LF) at += 1
        else if (this.#piece[at] === CR && this.#piece[at + 1] === LF) at += 2
        else break
      }
      passed += at
      this.#next(at)
      if (this.#piece.byteLength > 0) break
    }
    return passed
  }

  /** Puts something before what follows. */
  push(bytes: Buffer): void {
    this.#piece = Buffer.concat([bytes, this.#piece])
  }

  #next(bytes: number): Buffer {
    const piece = this.#piece.subarray(0, bytes)
    this.#piece = this.#piece.subarray(bytes)
    return piece
  }
}

const NOTHING = Buffer.alloc(0)
const LF = 0x0a
const CR = 0x0d

import { busy } from './body.ts'
import { joinWithin } from './byte-budget.ts'
import type { Limits } from './door.ts'
import { refuse } from './refusal.ts'
import { Refused } from './refused.ts'

const tooLongPlain = (type: string, bytes: number): string =>
  `The item of type ${type} goes beyond it: what is no attachment comes in at most ${bytes} bytes over the wire. Compress the body, or send the item in smaller parts.`

/** What is held in memory of a body that is read piece by piece. */
export class HeldPieces {
  readonly #limits: Limits
  readonly #take: (bytes: number) => boolean
  readonly #wireBytes: () => number
  #pieces: Buffer[] = []
  #about: string | null = null
  #bytes = 0

  /**
   * @param take a reservation's
   * @param wireBytes of the body so far: what is large on the wire shall not be held as well
   */
  constructor(limits: Limits, take: (bytes: number) => boolean, wireBytes: () => number) {
    this.#limits = limits
    this.#take = take
    this.#wireBytes = wireBytes
  }

  /** What comes next is an item of this type. */
  about(type: string): void {
    this.#about = type
  }

  /** Copies it, so that the piece that it is a part of can go. @throws Refused */
  add(bytes: Uint8Array): void {
    const { COMPRESSED_BODY_BYTES, ENVELOPE_BYTES } = this.#limits
    const most = this.#wireBytes() > COMPRESSED_BODY_BYTES ? COMPRESSED_BODY_BYTES : ENVELOPE_BYTES
    this.#bytes += bytes.byteLength
    if (this.#bytes > most) {
      throw new Refused(
        refuse(413, 'too_large', `request body is larger than ${most} bytes without its attachments`, {
          causes: [
            ...(this.#about === null || most !== COMPRESSED_BODY_BYTES ? [] : [tooLongPlain(this.#about, most)]),
            'Only attachments with a length in their header, and files of a form, may be larger.',
          ],
        }),
      )
    }
    if (!this.#take(bytes.byteLength)) throw new Refused(busy(this.#limits))
    this.#pieces.push(Buffer.from(bytes))
  }

  async addAll(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of pieces) this.add(piece)
  }

  /** All of it since the last time. @throws Refused */
  async join(): Promise<Buffer> {
    const pieces = this.#pieces
    this.#pieces = []
    const joined = await joinWithin(
      pieces,
      pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
      this.#take,
    )
    if (joined === null) throw new Refused(busy(this.#limits))
    return joined
  }
}

import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { watchBodyTime } from './body-time.ts'
import type { Limits } from './door.ts'
import { createDecoder, tooMuch, type Encoding } from './inflate.ts'
import { refuse, type Refusal } from './refusal.ts'
import { ABORTED, Refused } from './refused.ts'

/** A body of which more comes than may be held in memory: it is read while it comes. */
export interface LargeBody {
  /** Without its content encoding. Reading throws `Refused` when a bound is met, or the sender is gone. */
  readonly pieces: AsyncIterable<Buffer>
  /** What was sent of it so far. */
  readonly wireBytes: () => number
  /** Nothing more will come over the wire. */
  readonly isAllHere: () => boolean
  /** Of what was read so far. */
  readonly plainBytes: () => number
  /** No more of it is wanted. The request stays open. */
  stop(): Promise<void>
}

/** The rest of a request's body, piece by piece, after `begun`. The request stays open when the reading is stopped before. */
export const wirePieces = async function* (
  request: IncomingMessage,
  begun: readonly Buffer[],
  limits: Limits,
  { passed, signal }: { readonly passed: (piece: Buffer) => void; readonly signal: AbortSignal },
): AsyncGenerator<Buffer> {
  let total = begun.reduce((sum, piece) => sum + piece.byteLength, 0)
  let pieces = begun.length
  for (const piece of begun) {
    yield piece
    passed(piece)
  }
  const waiting: Buffer[] = []
  let ending: Refused | 'end' | null = null
  let wake: () => void = () => undefined
  const end = (how: Refused | 'end'): void => {
    ending ??= how
    wake()
  }
  const onData = (piece: Buffer): void => {
    request.pause()
    waiting.push(piece)
    wake()
  }
  const onEnd = (): void => end('end')
  const onClose = (): void => end(new Refused(ABORTED))
  const stopWatch = watchBodyTime(
    limits,
    () => total,
    (refusal) => end(new Refused(refusal)),
  )
  request.on('data', onData).on('end', onEnd).on('close', onClose)
  signal.addEventListener('abort', onClose)
  // An aborted upload is told by 'close'; without a listener its error would be thrown.
  request.on('error', () => undefined)
  // It may have gone while nobody listened.
  if (signal.aborted || (request.destroyed && !request.complete)) onClose()
  try {
    for (;;) {
      const piece = waiting.shift()
      if (piece !== undefined) {
        total += piece.byteLength
        pieces += 1
        if (areTooSmall(pieces, total, limits)) throw new Refused(tooSmallPieces(limits))
        if (total > limits.ENVELOPE_BYTES) throw new Refused(largerThan(limits.ENVELOPE_BYTES))
        yield piece
      } else if (ending !== null) {
        if (ending === 'end') return
        throw ending as Refused
      } else {
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        request.resume()
        await woken
      }
    }
  } finally {
    stopWatch()
    request.off('data', onData).off('end', onEnd).off('close', onClose)
    signal.removeEventListener('abort', onClose)
  }
}

/** Each piece costs some work, however small it is: somebody could keep the server busy with a few bytes at a time. */
export const areTooSmall = (pieces: number, bytes: number, limits: Limits): boolean =>
  (pieces - limits.BODY_PIECES_FREE) * limits.BODY_PIECE_BYTES > bytes

export const tooSmallPieces = (limits: Limits): Refusal =>
  refuse(400, 'tiny_pieces', `request body comes in pieces of less than ${limits.BODY_PIECE_BYTES} bytes`)

export const largerThan = (bytes: number): Refusal =>
  refuse(413, 'too_large', `request body is larger than ${bytes} bytes`)

export const corrupt = (encoding: Encoding | null): Refusal =>
  refuse(400, 'invalid_encoding', `request body is not valid ${encoding} data`)

export const tooLargeInflated = (limits: Limits): Refusal =>
  refuse(413, 'too_large', `envelope is larger than ${limits.ENVELOPE_BYTES} bytes after decompression`)

export const tooInflated = (limits: Limits): Refusal =>
  refuse(413, 'inflation', `request body inflates to more than ${limits.INFLATE_RATIO} times its size`, {
    causes: [
      `Up to ${limits.INFLATE_RATIO_FREE_BYTES} bytes it may inflate to any number of times its size, but not its large attachments. Send it in smaller pieces.`,
    ],
  })

/** What is put into files is on the disk as it is: of those bytes none is free. */
export const isTooMuchStaged = (stagedBytes: number, wireBytes: number, limits: Limits): boolean =>
  tooMuch(wireBytes, { maxRatio: limits.INFLATE_RATIO, ratioFreeBytes: 0 }, stagedBytes)

/** Takes the content encoding off a body that comes piece by piece. */
export const largeBody = (
  wire: (signal: AbortSignal) => AsyncIterable<Buffer>,
  encoding: Encoding | null,
  limits: Limits,
): LargeBody =>
  inflateLarge(wire, encoding, {
    maxBytes: limits.ENVELOPE_BYTES,
    limits,
    refusals: {
      tooLarge: tooLargeInflated(limits),
      tooInflated: tooInflated(limits),
      corrupt: corrupt(encoding),
    },
  })

interface LargeBounds {
  /** Bytes that may come out. */
  readonly maxBytes: number
  readonly limits: Limits
  readonly refusals: { readonly tooLarge: Refusal; readonly tooInflated: Refusal; readonly corrupt: Refusal }
}

/**
 * Inflates piece by piece, within bounds that hold while inflating.
 *
 * @param packed ends when the signal says so, also while it waits
 * @param encoding null when there is nothing to inflate
 */
export const inflateLarge = (
  packed: (signal: AbortSignal) => AsyncIterable<Buffer>,
  encoding: Encoding | null,
  { maxBytes, limits, refusals }: LargeBounds,
): LargeBody => {
  const stopping = new AbortController()
  let wireBytes = 0
  let isAllHere = false
  let plainBytes = 0
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of packed(stopping.signal)) {
      wireBytes += piece.byteLength
      yield piece
    }
    isAllHere = true
  }
  const plain = async function* (): AsyncGenerator<Buffer> {
    const pieces = encoding === null ? counted() : decoded(counted(), encoding, refusals.corrupt)
    for await (const piece of pieces) {
      plainBytes += piece.byteLength
      if (plainBytes > maxBytes) throw new Refused(refusals.tooLarge)
      const ratio = { maxRatio: limits.INFLATE_RATIO, ratioFreeBytes: limits.INFLATE_RATIO_FREE_BYTES }
      if (encoding !== null && tooMuch(wireBytes, ratio, plainBytes)) throw new Refused(refusals.tooInflated)
      yield piece
    }
  }
  const pieces = plain()
  return {
    pieces,
    wireBytes: () => wireBytes,
    isAllHere: () => isAllHere,
    plainBytes: () => plainBytes,
    stop: async () => {
      stopping.abort()
      await pieces.return(undefined)
    },
  }
}

/** @throws Refused when it cannot be decoded; what `wire` throws */
const decoded = async function* (
  wire: AsyncGenerator<Buffer>,
  encoding: Encoding,
  corrupted: Refusal,
): AsyncGenerator<Buffer> {
  const first = await wire.next()
  if (first.done === true) return
  const all = async function* (): AsyncGenerator<Buffer> {
    yield first.value
    yield* wire
  }
  const decoder = createDecoder(first.value, encoding)
  // What goes wrong in it is thrown where the decoder is read.
  pipeline(Readable.from(all()), decoder, () => undefined)
  try {
    for await (const piece of decoder) yield piece as Buffer
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(corrupted)
  }
}

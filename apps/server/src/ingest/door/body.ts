import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { createGatheredPieces } from '../../lib/gathered-pieces.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { watchBodyTime } from './body-time.ts'
import { joinWithin, type ByteReservation } from './byte-budget.ts'
import type { Limits } from './door.ts'
import { encodingOf, inflate, inflateHead, type Encoding } from './inflate.ts'
import {
  areTooSmall,
  corrupt,
  largeBody,
  largerThan,
  tooInflated,
  tooLargeInflated,
  tooSmallPieces,
  wirePieces,
  type LargeBody,
} from './large-body.ts'
import { refuse, type Refusal } from './refusal.ts'
import { ABORTED } from './refused.ts'

/** Told the beginning of a body, uncompressed, when it is to go on only for somebody who is known. */
export type KnowSender = (head: Uint8Array) => Promise<Refusal | null>

interface HeldBody {
  /** Without its content encoding. */
  readonly plain: Buffer
  /** As it was sent. */
  readonly wireBytes: number
}

export type ReadBody = { readonly held: HeldBody } | { readonly large: LargeBody }

/**
 * Reads the body of a request as raw bytes, whatever its content type, and takes its content encoding off. Every bound
 * holds while reading and while inflating: wire size, inflated size, time, and the bytes of all bodies together.
 *
 * @param knowSender null when the sender is known; else asked once, before much is read or inflated for it
 * @param mayBeLarge what is more than may be held in memory is not refused, but left to be read piece by piece
 */
export const readBody = async (
  request: IncomingMessage,
  limits: Limits,
  reservation: ByteReservation,
  { knowSender, mayBeLarge }: { readonly knowSender: KnowSender | null; readonly mayBeLarge: boolean },
): Promise<Result<ReadBody, Refusal | typeof ABORTED>> => {
  const encoding = encodingOf(request.headers['content-encoding'])
  let ask: Ask | null = null
  if (knowSender !== null) {
    ask = async (beginning) => {
      const head = await headOf(beginning, encoding, limits)
      return head === null ? corrupt(encoding) : knowSender(head)
    }
  }
  const read = await readWire(request, limits, reservation, { ask, mayBeLarge })
  if (!read.ok) return read
  if (read.value.isLarge) {
    const { begun } = read.value
    const passed = (piece: Buffer): void => reservation.giveBack(piece.byteLength)
    const wire = (signal: AbortSignal) => wirePieces(request, begun, limits, { passed, signal })
    return ok({ large: largeBody(wire, encoding, limits) })
  }
  const wire = read.value.all
  const wireBytes = wire.byteLength
  if (encoding === null || wireBytes === 0) return ok({ held: { plain: wire, wireBytes } })
  let taken = 0
  const take = (bytes: number): boolean => {
    const isTaken = reservation.take(bytes)
    if (isTaken) taken += bytes
    return isTaken
  }
  const bounds = {
    maxBytes: mayBeLarge ? limits.HELD_BODY_BYTES : limits.ENVELOPE_BYTES,
    maxRatio: limits.INFLATE_RATIO,
    ratioFreeBytes: limits.INFLATE_RATIO_FREE_BYTES,
    atOnceBytes: limits.INFLATE_AT_ONCE_BYTES,
    atOnceOutputBytes: limits.INFLATE_AT_ONCE_OUTPUT_BYTES,
    take,
  }
  let inflated: Awaited<ReturnType<typeof inflate>> = err('too_large')
  if (ask !== null && wireBytes <= limits.KEYLESS_BODY_BYTES) {
    // Little is inflated for anybody, much only for somebody who is known.
    const isSmall = wireBytes <= limits.INFLATE_AT_ONCE_BYTES
    if (isSmall) inflated = await inflate(wire, encoding, { ...bounds, maxBytes: bounds.atOnceOutputBytes })
    const refusal = !inflated.ok && inflated.error === 'too_large' ? await ask(wire) : null
    if (refusal !== null) return err(refusal)
  }
  if (!inflated.ok && inflated.error === 'too_large') inflated = await inflate(wire, encoding, bounds)
  if (inflated.ok) return ok({ held: { plain: inflated.value, wireBytes } })
  switch (inflated.error) {
    case 'too_large':
      if (!mayBeLarge) return err(tooLargeInflated(limits))
      // What was inflated is gone; it is inflated again while it is read.
      reservation.giveBack(taken)
      return ok({ large: largeBody(() => Readable.from([wire]), encoding, limits) })
    case 'too_inflated':
      return err(tooInflated(limits))
    case 'corrupt':
      return err(corrupt(encoding))
    case 'no_room':
      return err(busy(limits))
  }
}

/** Told the beginning of a body as it came over the wire. */
type Ask = (beginning: Buffer) => Promise<Refusal | null>

/** What the first line of an envelope is in; null when it cannot be decompressed. */
const headOf = async (beginning: Buffer, encoding: Encoding | null, limits: Limits): Promise<Uint8Array | null> => {
  const bytes = limits.HEADER_LINE_BYTES + 1
  return encoding === null ? beginning.subarray(0, bytes) : inflateHead(beginning, encoding, bytes)
}

/** All of a body as it came over the wire, or the beginning of a large one; then the request is paused. */
type Wire =
  | { readonly isLarge: false; readonly all: Buffer }
  | { readonly isLarge: true; readonly begun: readonly Buffer[] }

const readWire = (
  request: IncomingMessage,
  limits: Limits,
  reservation: ByteReservation,
  { ask, mayBeLarge }: { readonly ask: Ask | null; readonly mayBeLarge: boolean },
): Promise<Result<Wire, Refusal | typeof ABORTED>> => {
  const announced = Number(request.headers['content-length'] ?? 0)
  const most = mayBeLarge ? limits.ENVELOPE_BYTES : limits.COMPRESSED_BODY_BYTES
  if (announced > most) return Promise.resolve(err(largerThan(most)))
  return new Promise((resolve, reject) => {
    const gathered = createGatheredPieces()
    let pieces = 0
    let total = 0
    let asked = ask === null

    type Outcome = Result<Wire, Refusal | typeof ABORTED>
    const stop = (): void => {
      stopWatch()
      request.off('data', onData).off('end', onEnd).off('close', onClose)
    }
    const settle = (result: Outcome | Promise<Outcome>): void => {
      stop()
      resolve(result)
    }
    const isLarge = (): boolean => mayBeLarge && Math.max(total, announced) > limits.HELD_BODY_BYTES
    /** No more is held than is needed to know that it is large, and whose it is. */
    const handOver = (): void => {
      request.pause()
      settle(ok({ isLarge: true, begun: gathered.all() }))
    }
    const onData = (chunk: Buffer): void => {
      total += chunk.byteLength
      pieces += 1
      if (areTooSmall(pieces, total, limits)) return settle(err(tooSmallPieces(limits)))
      if (total > limits.COMPRESSED_BODY_BYTES && !mayBeLarge) return settle(err(largerThan(most)))
      if (!reservation.take(chunk.byteLength)) return settle(err(busy(limits)))
      gathered.add(chunk)
      if (asked || ask === null) {
        if (isLarge()) handOver()
        return
      }
      if (total <= limits.KEYLESS_BODY_BYTES) return
      asked = true
      request.pause()
      ask(Buffer.concat(gathered.all())).then(
        (refusal) => {
          if (refusal !== null) settle(err(refusal))
          else if (isLarge()) handOver()
          else request.resume()
        },
        (error: unknown) => {
          stop()
          reject(error)
        },
      )
    }
    const onEnd = (): void => {
      const body = joinWithin(gathered.all(), total, reservation.take)
      if (body === null) settle(err(busy(limits)))
      else if (body instanceof Promise) settle(body.then((all) => ok({ isLarge: false, all })))
      else settle(ok({ isLarge: false, all: body }))
    }
    const onClose = (): void => settle(err(ABORTED))
    const stopWatch = watchBodyTime(
      limits,
      () => total,
      (refusal) => settle(err(refusal)),
    )

    request.on('data', onData).on('end', onEnd).on('close', onClose)
    // An aborted upload is told by 'close'; without a listener its error would be thrown.
    request.on('error', ignore)
  })
}

const ignore = (): void => undefined

export const busy = (limits: Limits): Refusal =>
  refuse(503, 'overloaded', 'the server holds as many request bodies as it can; send again later', {
    retryAfterSeconds: limits.UNAVAILABLE_RETRY_SECONDS,
  })

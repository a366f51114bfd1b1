import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from '../../lib/result.ts'
import { encodingOf, inflate, inflateHead, type Encoding } from './inflate.ts'
import { refuse, type Refusal } from './refusal.ts'
import { joinWithin, type ByteReservation } from './byte-budget.ts'
import type { Limits } from './door.ts'

/** The client went away; there is nobody to answer. */
export const ABORTED = 'aborted'

/** Told the beginning of a body, uncompressed, when it is to go on only for somebody who is known. */
export type KnowSender = (head: Uint8Array) => Promise<Refusal | null>

interface Body {
  /** Without its content encoding. */
  readonly plain: Buffer
  /** As it was sent. */
  readonly wireBytes: number
}

/**
 * Reads the body of a request as raw bytes, whatever its content type, and takes its content encoding off. Every bound
 * holds while reading and while inflating: wire size, inflated size, time, and the bytes of all bodies together.
 *
 * @param knowSender null when the sender is known; else asked once, before much is read or inflated for it
 */
export const readBody = async (
  request: IncomingMessage,
  limits: Limits,
  reservation: ByteReservation,
  knowSender: KnowSender | null,
): Promise<Result<Body, Refusal | typeof ABORTED>> => {
  const encoding = encodingOf(request.headers['content-encoding'])
  let ask: Ask | null = null
  if (knowSender !== null) {
    ask = async (beginning) => {
      const head = await headOf(beginning, encoding, limits)
      return head === null ? corrupt(encoding) : knowSender(head)
    }
  }
  const wire = await readWire(request, limits, reservation, ask)
  if (!wire.ok) return wire
  const wireBytes = wire.value.byteLength
  if (encoding === null || wireBytes === 0) return ok({ plain: wire.value, wireBytes })
  const bounds = {
    maxBytes: limits.ENVELOPE_BYTES,
    maxRatio: limits.INFLATE_RATIO,
    ratioFreeBytes: limits.INFLATE_RATIO_FREE_BYTES,
    atOnceBytes: limits.INFLATE_AT_ONCE_BYTES,
    atOnceOutputBytes: limits.INFLATE_AT_ONCE_OUTPUT_BYTES,
    take: reservation.take,
  }
  let inflated: Awaited<ReturnType<typeof inflate>> = err('too_large')
  if (ask !== null && wireBytes <= limits.KEYLESS_BODY_BYTES) {
    // Little is inflated for anybody, much only for somebody who is known.
    const isSmall = wireBytes <= limits.INFLATE_AT_ONCE_BYTES
    if (isSmall) inflated = await inflate(wire.value, encoding, { ...bounds, maxBytes: bounds.atOnceOutputBytes })
    const refusal = !inflated.ok && inflated.error === 'too_large' ? await ask(wire.value) : null
    if (refusal !== null) return err(refusal)
  }
  if (!inflated.ok && inflated.error === 'too_large') inflated = await inflate(wire.value, encoding, bounds)
  if (inflated.ok) return ok({ plain: inflated.value, wireBytes })
  switch (inflated.error) {
    case 'too_large':
      return err(refuse(413, 'too_large', `envelope is larger than ${limits.ENVELOPE_BYTES} bytes after decompression`))
    case 'too_inflated':
      return err(
        refuse(413, 'inflation', `request body inflates to more than ${limits.INFLATE_RATIO} times its size`, {
          causes: [
            `Up to ${limits.INFLATE_RATIO_FREE_BYTES} bytes it may inflate to any number of times its size. Send it in smaller pieces.`,
          ],
        }),
      )
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

const readWire = (
  request: IncomingMessage,
  limits: Limits,
  reservation: ByteReservation,
  ask: Ask | null,
): Promise<Result<Buffer, Refusal | typeof ABORTED>> => {
  if (Number(request.headers['content-length'] ?? 0) > limits.COMPRESSED_BODY_BYTES) {
    return Promise.resolve(err(tooLarge(limits)))
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let total = 0
    let asked = ask === null

    type Outcome = Result<Buffer, Refusal | typeof ABORTED>
    const stop = (): void => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onClose)
    }
    const settle = (result: Outcome | Promise<Outcome>): void => {
      stop()
      resolve(result)
    }
    const onData = (chunk: Buffer): void => {
      total += chunk.byteLength
      if (total > limits.COMPRESSED_BODY_BYTES) return settle(err(tooLarge(limits)))
      if (!reservation.take(chunk.byteLength)) return settle(err(busy(limits)))
      chunks.push(chunk)
      if (asked || ask === null || total <= limits.KEYLESS_BODY_BYTES) return
      asked = true
      request.pause()
      ask(Buffer.concat(chunks)).then(
        (refusal) => {
          if (refusal === null) request.resume()
          else settle(err(refusal))
        },
        (error: unknown) => {
          stop()
          reject(error)
        },
      )
    }
    const onEnd = (): void => {
      const body = joinWithin(chunks, total, reservation.take)
      if (body === null) settle(err(busy(limits)))
      else settle(body instanceof Promise ? body.then(ok) : ok(body))
    }
    const onClose = (): void => settle(err(ABORTED))
    const timer = setTimeout(() => {
      const seconds = Math.ceil(limits.BODY_TIMEOUT_MS / 1000)
      settle(err(refuse(408, 'body_timeout', `request body did not arrive within ${seconds} seconds`)))
    }, limits.BODY_TIMEOUT_MS)

    request.on('data', onData).on('end', onEnd).on('close', onClose)
    // An aborted upload is told by 'close'; without a listener its error would be thrown.
    request.on('error', ignore)
  })
}

const ignore = (): void => undefined

const tooLarge = (limits: Limits): Refusal =>
  refuse(413, 'too_large', `request body is larger than ${limits.COMPRESSED_BODY_BYTES} bytes`)

const corrupt = (encoding: Encoding | null): Refusal =>
  refuse(400, 'invalid_encoding', `request body is not valid ${encoding} data`)

export const busy = (limits: Limits): Refusal =>
  refuse(503, 'overloaded', 'the server holds as many request bodies as it can; send again later', {
    retryAfterSeconds: limits.UNAVAILABLE_RETRY_SECONDS,
  })

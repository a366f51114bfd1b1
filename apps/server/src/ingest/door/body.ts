import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from '../../lib/result.ts'
import { encodingOf, inflate } from './inflate.ts'
import { refuse, type Refusal } from './refusal.ts'
import { joinWithin, type ByteReservation } from './byte-budget.ts'
import type { Limits } from './door.ts'

/** The client went away; there is nobody to answer. */
export const ABORTED = 'aborted'

/**
 * Reads the body of a request as raw bytes, whatever its content type, and takes its content encoding off. Every bound
 * holds while reading and while inflating: wire size, inflated size, time, and the bytes of all bodies together.
 */
export const readBody = async (
  request: IncomingMessage,
  limits: Limits,
  reservation: ByteReservation,
): Promise<Result<Buffer, Refusal | typeof ABORTED>> => {
  const wire = await readWire(request, limits, reservation)
  if (!wire.ok) return wire
  const encoding = encodingOf(request.headers['content-encoding'])
  if (encoding === null || wire.value.byteLength === 0) return wire
  const inflated = await inflate(wire.value, encoding, {
    maxBytes: limits.ENVELOPE_BYTES,
    atOnceBytes: limits.INFLATE_AT_ONCE_BYTES,
    atOnceOutputBytes: limits.INFLATE_AT_ONCE_OUTPUT_BYTES,
    take: reservation.take,
  })
  if (inflated.ok) return inflated
  switch (inflated.error) {
    case 'too_large':
      return err(refuse(413, 'too_large', `envelope is larger than ${limits.ENVELOPE_BYTES} bytes after decompression`))
    case 'corrupt':
      return err(refuse(400, 'invalid_encoding', `request body is not valid ${encoding} data`))
    case 'no_room':
      return err(busy(limits))
  }
}

const readWire = (
  request: IncomingMessage,
  limits: Limits,
  reservation: ByteReservation,
): Promise<Result<Buffer, Refusal | typeof ABORTED>> => {
  if (Number(request.headers['content-length'] ?? 0) > limits.COMPRESSED_BODY_BYTES) {
    return Promise.resolve(err(tooLarge(limits)))
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let total = 0

    const settle = (result: Result<Buffer, Refusal | typeof ABORTED>): void => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onClose)
      resolve(result)
    }
    const onData = (chunk: Buffer): void => {
      total += chunk.byteLength
      if (total > limits.COMPRESSED_BODY_BYTES) settle(err(tooLarge(limits)))
      else if (reservation.take(chunk.byteLength)) chunks.push(chunk)
      else settle(err(busy(limits)))
    }
    const onEnd = (): void => {
      const body = joinWithin(chunks, total, reservation.take)
      settle(body === null ? err(busy(limits)) : ok(body))
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

const busy = (limits: Limits): Refusal =>
  refuse(503, 'overloaded', 'the server holds as many request bodies as it can; send again later', {
    retryAfterSeconds: limits.UNAVAILABLE_RETRY_SECONDS,
  })

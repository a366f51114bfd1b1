import { decodeUtf8, encodeUtf8, isObject, jsonDepthWithin, normaliseEventId, type Item } from '@firsthand/protocol'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { err, ok, type Result } from '../../lib/result.ts'
import { withFile } from '../payload-file.ts'
import { busy } from './body.ts'
import { makeDraft, makeItem, type Draft } from './draft.ts'
import { inflate, type Encoding } from './inflate.ts'
import type { HeldPieces } from './held-pieces.ts'
import { inflateLarge } from './large-body.ts'
import { readLargeMultipart } from './large-multipart.ts'
import { readMessagePack } from './message-pack.ts'
import { boundaryOf, parseMultipart, type Part } from './multipart.ts'
import type { PieceReader } from './piece-reader.ts'
import { mediaType } from './read-reports.ts'
import { refuse, type Refusal } from './refusal.ts'
import type { Limits } from './door.ts'
import type { Stager } from './stager.ts'

/**
 * Crash reports of native programs (protocol.md 2.7). There is no symbol server, so the dump is kept as an attachment
 * beside an event that says that there was a crash, with what the sender's own event fields add to it.
 */
export interface CrashRequest {
  /** All of it, or what reads it piece by piece. */
  readonly body: HeldCrash | LargeCrash
  readonly contentType: string | undefined
  readonly query: string
  readonly limits: Limits
  readonly newEventId: () => string
  /** Room for what a compressed dump unpacks to. */
  readonly take: (bytes: number) => boolean
  readonly stager: Stager
}

interface HeldCrash {
  readonly all: Buffer
}

interface LargeCrash {
  readonly reader: PieceReader
  readonly held: HeldPieces
}

/** A dump, and where it is. */
type Dump = Pick<Part, 'data' | 'file'>

const DUMP_FIELD = 'upload_file_minidump'

/** Parts of native SDKs in MessagePack: one event, two streams of breadcrumbs. */
const NATIVE_EVENT = '__sentry-event'
const NATIVE_BREADCRUMBS: ReadonlySet<string> = new Set(['__sentry-breadcrumb1', '__sentry-breadcrumb2'])

export const readMinidump = async (request: CrashRequest): Promise<Result<Draft, Refusal>> => {
  const { body, contentType } = request
  if ('all' in body && body.all.byteLength === 0) return err(EMPTY)
  const boundary = boundaryOf(contentType)
  if (boundary === null) {
    const type = mediaType(contentType)
    if (type !== '' && type !== 'application/octet-stream' && type !== 'application/x-dmp') {
      return err(refuse(415, 'unsupported_media_type', 'unsupported content type'))
    }
    const dump = 'all' in body ? { data: body.all } : await stageDump(body.reader.rest(), request)
    return crashOf(dump, [], request)
  }
  const parts = await readParts(request, boundary)
  if (!parts.ok) return err(refuse(400, 'invalid_multipart', parts.error))
  const dump = parts.value.find((part) => part.name === DUMP_FIELD)
  if (dump === undefined) return err(refuse(400, 'missing_minidump', `multipart field ${DUMP_FIELD} is missing`))
  return crashOf(
    dump,
    parts.value.filter((part) => part !== dump),
    request,
  )
}

const EMPTY = refuse(400, 'invalid_envelope', 'empty request body')

const readParts = (
  { body, limits, stager }: CrashRequest,
  boundary: string,
): Result<readonly Part[], string> | Promise<Result<readonly Part[], string>> =>
  'all' in body
    ? parseMultipart(body.all, boundary, limits)
    : readLargeMultipart(boundary, ({ name }) => isEventField(name), { ...body, stager, limits })

const stageDump = async (pieces: AsyncIterable<Buffer>, { stager }: CrashRequest): Promise<Dump> => ({
  data: Buffer.alloc(0),
  file: await stager.keep(pieces),
})

/** An Unreal Engine crash archive, kept whole. */
export const readUnreal = (body: Buffer, eventId: string, userId: string | null): Result<Draft, Refusal> => {
  if (body.byteLength === 0) return err(EMPTY)
  const event = crashEvent(eventId, 'Unreal Engine crash', userId === null ? {} : { user: { id: userId } })
  return ok(makeDraft(eventId, [jsonItem('event', event), makeItem('unreal_report', body)]))
}

/** Files of a multipart body as attachments of an event that was sent before. */
export const readAttachments = async (request: CrashRequest, subject: string): Promise<Result<Draft, Refusal>> => {
  const eventId = normaliseEventId(subject)
  if (eventId === null) return err(refuse(400, 'invalid_event_id', 'event id in the path is not a UUID'))
  const boundary = boundaryOf(request.contentType)
  if (boundary === null)
    return err(refuse(415, 'unsupported_media_type', 'attachments are sent as multipart/form-data'))
  const parts = await readParts(request, boundary)
  if (!parts.ok) return err(refuse(400, 'invalid_multipart', parts.error))
  return ok(makeDraft(eventId, parts.value.filter(isFile).map(attachmentOf)))
}

const crashOf = async (sent: Dump, others: readonly Part[], request: CrashRequest): Promise<Result<Draft, Refusal>> => {
  const dump = await unpackDump(sent, request)
  if (!dump.ok) return dump
  const fields = eventFields(others, request.limits)
  const eventId = normaliseEventId(fields['event_id']) ?? request.newEventId()
  const items: Item[] = [
    jsonItem('event', crashEvent(eventId, 'Native crash', fields)),
    itemOf(dump.value, {
      filename: 'crash.dmp',
      content_type: 'application/x-dmp',
      attachment_type: 'event.minidump',
    }),
  ]
  const form = others.filter((part) => !isFile(part) && !isEventField(part.name))
  if (form.length > 0) {
    if (bytesOf(form) > request.limits.EVENT_BYTES) {
      return err(refuse(413, 'too_large', `item of type form_data is larger than ${request.limits.EVENT_BYTES} bytes`))
    }
    const pairs = form.map((part) => [part.name, decodeUtf8(part.data)])
    items.push(makeItem('form_data', encodeUtf8(JSON.stringify(pairs)), { content_type: 'application/json' }))
  }
  for (const part of others) if (isFile(part)) items.push(attachmentOf(part))
  return ok(makeDraft(eventId, items))
}

const bytesOf = (parts: readonly { readonly data: Buffer }[]): number =>
  parts.reduce((sum, { data }) => sum + data.byteLength, 0)

const isFile = (part: Part): boolean => part.filename !== null && !isEventField(part.name)

const attachmentOf = (part: Part): Item =>
  itemOf(part, {
    filename: part.filename ?? part.name,
    content_type: part.contentType ?? 'application/octet-stream',
    attachment_type: 'event.attachment',
  })

const itemOf = ({ data, file }: Dump, about: Parameters<typeof makeItem>[2]): Item => {
  const item = makeItem('attachment', data, about)
  return file === undefined ? item : withFile(item, file)
}

const jsonItem = (type: string, payload: unknown): Item =>
  makeItem(type, encodeUtf8(JSON.stringify(payload)), { content_type: 'application/json' })

const crashEvent = (eventId: string, value: string, fields: Readonly<Record<string, unknown>>): unknown => ({
  platform: 'native',
  level: 'fatal',
  exception: {
    values: [{ type: 'Minidump', value, mechanism: { type: 'minidump', handled: false, synthetic: true } }],
  },
  ...fields,
  event_id: eventId,
})

const isEventField = (name: string): boolean =>
  name === 'sentry' || name === NATIVE_EVENT || NATIVE_BREADCRUMBS.has(name) || /^sentry(?:__\d{1,3}$|\[)/.test(name)

/**
 * The event that came with the dump: `__sentry-event` and breadcrumbs (MessagePack), `sentry` (JSON), `sentry__1`…
 * `sentry__N` (the same in pieces), or `sentry[tags][a]=b`. What cannot be read is left out, and so is what goes beyond
 * twice the size of an event, of which no event could be made.
 */
const eventFields = (parts: readonly Part[], limits: Limits): Record<string, unknown> => {
  const fields: Record<string, unknown> = Object.create(null)
  const pieces: { index: number; data: Buffer }[] = []
  const streams: unknown[][] = []
  let room = 2 * limits.EVENT_BYTES
  for (const { name, data } of parts) {
    if (!isEventField(name) || data.byteLength > Math.min(room, limits.EVENT_BYTES)) continue
    room -= data.byteLength
    const index = /^sentry__(\d{1,3})$/.exec(name)?.[1]
    if (name === NATIVE_EVENT) Object.assign(fields, readMessagePack(data, limits.JSON_DEPTH)?.find(isObject))
    else if (NATIVE_BREADCRUMBS.has(name)) streams.push(readMessagePack(data, limits.JSON_DEPTH) ?? [])
    else if (name === 'sentry') Object.assign(fields, parseFields(data, limits))
    else if (index !== undefined) pieces.push({ index: Number(index), data })
    else if (name.startsWith('sentry[')) setBracketed(fields, name, decodeUtf8(data))
  }
  if (pieces.length > 0) {
    pieces.sort((one, other) => one.index - other.index)
    Object.assign(fields, parseFields(Buffer.concat(pieces.map((piece) => piece.data)), limits))
  }
  const breadcrumbs = streams.flat()
  if (breadcrumbs.length > 0) fields['breadcrumbs'] = { values: breadcrumbs }
  return fields
}

const parseFields = (data: Buffer, limits: Limits): object => {
  if (data.byteLength > limits.EVENT_BYTES || !jsonDepthWithin(data, limits.JSON_DEPTH)) return {}
  try {
    const value: unknown = JSON.parse(decodeUtf8(data))
    return isObject(value) ? value : {}
  } catch {
    // A crash report is worth more than its fields: without them the minidump is still kept.
    return {}
  }
}

/** Deeper brackets than this mean nothing in an event. */
const MAX_BRACKETS = 8

const setBracketed = (fields: Record<string, unknown>, name: string, value: string): void => {
  const keys = [...name.matchAll(/\[([^\][]*)\]/g)].map((match) => match[1] ?? '')
  // On the way down an inherited object must not be taken for a field: that would be everybody's prototype.
  if (keys.includes('__proto__') || keys.length > MAX_BRACKETS) return
  const last = keys.pop()
  if (last === undefined) return
  let target = fields
  for (const key of keys) {
    const known = Object.hasOwn(target, key) ? target[key] : undefined
    const child: Record<string, unknown> = isObject(known) ? known : Object.create(null)
    target[key] = child
    target = child
  }
  target[last] = value
}

const XZ = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a])
const BZIP2 = Buffer.from('BZh')

const unpackDump = async (dump: Dump, request: CrashRequest): Promise<Result<Dump, Refusal>> => {
  const { limits, take } = request
  const { data, file } = dump
  const begin = file === undefined ? data : await beginOf(file.path)
  if (isDump(begin) || startsWith(begin, XZ) || startsWith(begin, BZIP2)) return ok(dump)
  const encoding = compressionOf(begin)
  if (encoding === null) return err(refuse(400, 'invalid_minidump', 'invalid minidump: it does not begin with MDMP'))
  if (file !== undefined) return unpackLarge(() => createReadStream(file.path), encoding, request)
  const unpacked = await inflate(data, encoding, {
    maxBytes: limits.HELD_BODY_BYTES,
    maxRatio: limits.INFLATE_RATIO,
    ratioFreeBytes: limits.INFLATE_RATIO_FREE_BYTES,
    atOnceBytes: limits.INFLATE_AT_ONCE_BYTES,
    atOnceOutputBytes: limits.INFLATE_AT_ONCE_OUTPUT_BYTES,
    take,
  })
  if (unpacked.ok) return isDump(unpacked.value) ? ok({ data: unpacked.value }) : err(NO_DUMP)
  switch (unpacked.error) {
    case 'corrupt':
      return err(NO_DUMP)
    case 'too_large':
      return unpackLarge(() => Readable.from([data]), encoding, request)
    case 'too_inflated':
      return err(tooInflated(limits))
    case 'no_room':
      return err(busy(limits))
  }
}

const NO_DUMP = refuse(400, 'invalid_minidump', 'invalid minidump: the compressed data is not one')

const tooInflated = (limits: Limits): Refusal =>
  refuse(413, 'inflation', `minidump inflates to more than ${limits.INFLATE_RATIO} times its size`)

/** Into a file: it is more than may be held in memory. */
const unpackLarge = async (
  packed: () => AsyncIterable<Buffer>,
  encoding: Encoding,
  request: CrashRequest,
): Promise<Result<Dump, Refusal>> => {
  const { limits } = request
  const refusals = {
    tooLarge: refuse(413, 'too_large', `minidump is larger than ${limits.MINIDUMP_BYTES} bytes after decompression`),
    tooInflated: tooInflated(limits),
    corrupt: NO_DUMP,
  }
  const { pieces } = inflateLarge(packed, encoding, { maxBytes: limits.MINIDUMP_BYTES, limits, refusals })
  const dump = await stageDump(pieces, request)
  return dump.file !== undefined && isDump(await beginOf(dump.file.path)) ? ok(dump) : err(NO_DUMP)
}

const BEGIN_BYTES = 8

const beginOf = async (path: string): Promise<Buffer> => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGIN_BYTES), 0, BEGIN_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const isDump = (data: Buffer): boolean => {
  const magic = data.toString('latin1', 0, 4)
  return magic === 'MDMP' || magic === 'PMDM'
}

const compressionOf = (data: Buffer): Encoding | null => {
  if (data[0] === 0x1f && data[1] === 0x8b) return 'gzip'
  return data.byteLength > 4 && data.readUInt32LE(0) === 0xfd2fb528 ? 'zstd' : null
}

const startsWith = (data: Buffer, prefix: Buffer): boolean => data.subarray(0, prefix.byteLength).equals(prefix)

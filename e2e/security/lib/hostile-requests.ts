import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { countOf, parseEnvelope } from '../../../packages/protocol/src/index.ts'
import { mutate } from './mutate.ts'
import type { Random } from './random.ts'
import type { Recording } from './recordings.ts'

/** Mutated requests for every ingest route. */

export interface HostileRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The envelope before it was compressed, where its items can be counted from outside; else null. */
  readonly envelope: Buffer | null
  readonly slow: boolean
}

export interface Door {
  readonly projectId: string
  readonly key: string
}

const CONTENT_TYPES = [
  'text/plain;charset=UTF-8',
  'application/x-sentry-envelope',
  'application/json',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/msgpack',
  'text/html; charset=nonsense',
  'a'.repeat(300),
]

const compress = (body: Buffer, random: Random): { body: Buffer; encoding: string } | null => {
  switch (random.below(10)) {
    case 0:
      return { body: gzipSync(body, { level: 1 }), encoding: 'gzip' }
    case 1:
      return { body: deflateSync(body, { level: 1 }), encoding: 'deflate' }
    case 2:
      return { body: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), encoding: 'br' }
    case 3:
      return { body: zstdCompressSync(body), encoding: 'zstd' }
    default:
      return null
  }
}

/** A container whose header says another number than it holds: which of the two is counted depends on how far it comes. */
const hasMiscounted = (envelope: Buffer): boolean => {
  const parsed = parseEnvelope(envelope)
  return parsed.ok && parsed.value.items.some((item) => (holds(item.payload) ?? countOf(item)) !== countOf(item))
}

/** How many things a container counts as by what is in it; null for whatever is none. */
const holds = (payload: Uint8Array): number | null => {
  try {
    const { items } = JSON.parse(Buffer.from(payload).toString()) as { readonly items?: unknown }
    return Array.isArray(items) ? Math.max(1, items.length) : null
  } catch {
    return null
  }
}

/** Mutated bytes as an envelope, whole in everything else: what it holds can be counted, where it does not lie about it. */
const countable = (
  doors: { readonly counted: Door; readonly other: Door },
  recording: Recording,
  random: Random,
): HostileRequest => {
  const envelope = mutate(recording.bytes, random)
  const packed = compress(envelope, random)
  const isMiscounted = hasMiscounted(envelope)
  const door = isMiscounted ? doors.other : doors.counted
  return {
    path: `/api/${door.projectId}/envelope/?sentry_key=${door.key}&sentry_version=7`,
    headers: {
      'content-type': random.pick(CONTENT_TYPES.slice(0, 3)),
      ...(packed === null ? {} : { 'content-encoding': packed.encoding }),
    },
    body: packed?.body ?? envelope,
    envelope: isMiscounted ? null : envelope,
    slow: random.below(400) === 0,
  }
}

const pathsOf = ({ projectId, key }: Door): readonly string[] => [
  `/api/${projectId}/envelope/?sentry_key=${key}`,
  `//api//${projectId}//envelope?sentry_key=${key}`,
  `/prefix/api/${projectId}/envelope/?sentry_key=${key}&sentry_key=${key}`,
  `/api/${projectId}/store/?sentry_key=${key}`,
  `/api/store/?sentry_key=${key}`,
  `/api/${projectId}/security/?sentry_key=${key}`,
  `/api/${projectId}/csp-report/?sentry_key=${key}`,
  `/api/${projectId}/nel/?sentry_key=${key}`,
  `/api/${projectId}/cron/nightly/?sentry_key=${key}`,
  `/api/${projectId}/cron/nightly/${key}/`,
  `/api/${projectId}/minidump/?sentry_key=${key}`,
  `/api/${projectId}/unreal/${key}/`,
  `/api/${projectId}/events/${'a'.repeat(32)}/attachments/?sentry_key=${key}`,
  `/api/${projectId}/integration/otlp/v1/traces/?sentry_key=${key}`,
  `/api/${projectId}/otlp/v1/logs/?sentry_key=${key}`,
  `/api/${projectId}/integration/otlp/v1/metrics/?sentry_key=${key}`,
  `/tunnel`,
  `/api/0/projects/zeta/mill/user-feedback/?sentry_key=${key}`,
  `/api/embed/error-page/?eventId=${'a'.repeat(32)}&dsn=http://${key}@127.0.0.1/${projectId}`,
]

/** What stands between the two line feeds around the largest part of an envelope: a payload. */
const payloadOf = (envelope: Buffer): Buffer =>
  Buffer.from(
    envelope
      .toString('latin1')
      .split('\n')
      .toSorted((one, other) => other.length - one.length)[0] ?? '',
    'latin1',
  )

const AUTH_HEADERS = [
  'Sentry sentry_key=',
  'Sentry sentry_version=7, sentry_key=\u00e9',
  'DSN http://nobody@nowhere/1',
  'Basic !!!!',
  'Bearer x',
  `Sentry ${'sentry_key=a,'.repeat(200)}`,
]

/** Any route, any header, any encoding: only the answer and the survivors are judged. */
const anything = (door: Door, recording: Recording, random: Random): HostileRequest => {
  const path = random.pick(pathsOf(door))
  const whole = random.below(3) === 0 ? recording.bytes : payloadOf(recording.bytes)
  let body = mutate(whole, random)
  const headers: Record<string, string> = { 'content-type': random.pick(CONTENT_TYPES) }
  const packed = compress(body, random)
  if (packed !== null) {
    body = random.below(3) === 0 ? mutate(packed.body, random) : packed.body
    headers['content-encoding'] =
      random.below(5) === 0 ? random.pick(['gzip', 'br, gzip', 'zstd', 'identity', 'x']) : packed.encoding
  }
  if (random.below(10) === 0)
    headers['x-sentry-auth'] = Buffer.from(random.pick(AUTH_HEADERS), 'utf8').toString('latin1')
  if (random.below(10) === 0)
    headers['authorization'] = Buffer.from(random.pick(AUTH_HEADERS), 'utf8').toString('latin1')
  if (random.below(10) === 0) headers['origin'] = random.pick(['null', 'http://x', '://', 'http://a'.repeat(50)])
  return { path, headers, body, envelope: null, slow: random.below(400) === 0 }
}

/** Two of three can be counted. */
export const hostileRequest = (
  doors: { readonly counted: Door; readonly other: Door },
  recordings: readonly Recording[],
  random: Random,
): HostileRequest =>
  random.below(3) === 0
    ? anything(doors.other, random.pick(recordings), random)
    : countable(doors, random.pick(recordings), random)

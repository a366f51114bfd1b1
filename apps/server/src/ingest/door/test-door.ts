import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { once } from 'node:events'
import { parseEnvelope, type Envelope } from '@firsthand/protocol'
import { DEFAULT_PROJECT_SETTINGS, type KeyContext } from '../../accounts/settings.ts'
import { createLogger } from '../../lib/logger.ts'
import { CAPABILITIES } from '../../capabilities.ts'
import { createEntrance } from '../../entrance.ts'
import { otlpAddressesOf, rulesOf } from '../../compose-routes.ts'
import { REPORT_FORMS } from '../../feedback/user-report-forms.ts'
import { createDoor, type Door } from '../door.routes.ts'
import { LIMITS } from '../limits.ts'
import { nodeDisk } from '../spool/disk.ts'
import { SPOOL_START } from '../spool/position.ts'
import { Staging } from '../spool/staging.ts'
import { createByteQuotas } from './byte-quotas.ts'
import { createQuotas } from './quotas.ts'
import { withFiles } from '../payload-file.ts'
import type { AcceptedEnvelope, OutcomeRow } from '../road.ts'
import type { DoorParts, Limits, Pressure } from './door.ts'

/** Of all capabilities. */
export const ITEM_RULES = rulesOf(CAPABILITIES)

/** A door on a real HTTP server, with the spool and the outcome counter as arrays. */
export const KEY = 'abcdef0123456789abcdef0123456789'
export const OTHER_KEY = '11111111111111111111111111111111'
export const DISABLED_KEY = '22222222222222222222222222222222'

export const keyContext = (more: Partial<KeyContext> = {}): KeyContext => ({
  keyId: 7,
  publicKey: KEY,
  active: true,
  projectId: 42,
  projectSlug: 'shop',
  organizationId: 1,
  rateLimit: null,
  bytesPerDay: null,
  organizationBytesPerDay: null,
  settings: DEFAULT_PROJECT_SETTINGS,
  ...more,
})

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: Record<string, unknown>
}

interface Sent {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
  /** Sends the body in this many pieces with chunked transfer encoding. */
  readonly chunks?: number
}

export interface TestDoor {
  readonly port: number
  readonly records: AcceptedEnvelope[]
  readonly outcomes: OutcomeRow[]
  readonly log: string[]
  readonly state: { pressure: Pressure; isShareFull: boolean; isCrowded: boolean; failure: Error | null; now: number }
  readonly keys: Map<string, KeyContext>
  send(path: string, sent?: Sent): Promise<Answer>
  /** An authenticated POST to `/api/42/envelope/`. */
  envelope(body: string | Uint8Array, headers?: OutgoingHttpHeaders): Promise<Answer>
  /** The envelopes that were kept, parsed. */
  kept(): Envelope[]
  raw(): Promise<Socket>
  /** Names of the files beside the spool. */
  staged(): string[]
  reset(): void
  close(): Promise<void>
}

export const QUERY = `?sentry_version=7&sentry_key=${KEY}&sentry_client=sentry.javascript.browser%2F11.12.0`
export const ENVELOPE_PATH = `/api/42/envelope/${QUERY}`

export const startDoor = async (more: Partial<DoorParts> = {}): Promise<TestDoor> => {
  const records: AcceptedEnvelope[] = []
  const outcomes: OutcomeRow[] = []
  const log: string[] = []
  const limits = more.limits ?? LIMITS
  const state: TestDoor['state'] = {
    pressure: 'ok',
    isShareFull: false,
    isCrowded: false,
    failure: null,
    now: 1_795_213_370_793,
  }
  const keys = new Map<string, KeyContext>()
  const folder = mkdtempSync(join(tmpdir(), 'firsthand-door-'))
  const logger = createLogger(
    'debug',
    (line) => log.push(line),
    () => state.now,
  )
  const staging = await Staging.open({ directory: folder, disk: nodeDisk, logger }, SPOOL_START)
  const door = createDoor({
    lookup: {
      byPublicKey: async (key) => keys.get(key) ?? null,
      byProjectId: async () => null,
    },
    spool: {
      stage: () => staging.create(async () => undefined),
      append: async (record) => {
        if (state.failure !== null) throw state.failure
        records.push(record)
        const names = record.files?.map(({ path }) => basename(path)) ?? []
        staging.keep(names, { segment: 1, offset: records.length })
      },
      pressure: () => state.pressure,
      hasShare: () => !state.isShareFull,
      takesHeavy: () => !state.isCrowded,
    },
    refused: { count: (row) => void outcomes.push(row) },
    quotas: createQuotas(),
    bytes: createByteQuotas({ keyBytesPerDay: null, organizationBytesPerDay: null }),
    limits,
    clock: { now: () => state.now },
    logger,
    trustedProxies: [],
    rules: ITEM_RULES,
    forms: REPORT_FORMS,
    otlpAddresses: otlpAddressesOf(CAPABILITIES),
    ...more,
  })
  const { port, server } = await listen(door, limits)

  const send: TestDoor['send'] = (path, sent) => sendTo(port, path, sent)

  const reset = (): void => {
    records.length = 0
    outcomes.length = 0
    log.length = 0
    state.pressure = 'ok'
    state.isShareFull = false
    state.isCrowded = false
    state.failure = null
    keys.clear()
    keys.set(KEY, keyContext())
    keys.set(OTHER_KEY, keyContext({ keyId: 8, publicKey: OTHER_KEY, projectId: 43, projectSlug: 'other' }))
    keys.set(DISABLED_KEY, keyContext({ keyId: 9, publicKey: DISABLED_KEY, active: false }))
  }
  reset()

  return {
    port,
    records,
    outcomes,
    log,
    state,
    keys,
    send,
    envelope: (body, headers = {}) => send(ENVELOPE_PATH, { body, headers }),
    kept: () =>
      records.map((record) => {
        const parsed = parseEnvelope(record.body)
        if (!parsed.ok) throw new Error(`a kept envelope cannot be read: ${parsed.error.message}`)
        return withFiles(parsed.value, record.files ?? [])
      }),
    staged: () => readdirSync(join(folder, 'staged')),
    raw: async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    },
    reset,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Puts it on a free port, behind an entrance as the real one. */
const listen = async (door: Door, limits: Limits): Promise<{ readonly port: number; readonly server: Server }> => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!(await door(request, response))) response.writeHead(404).end('not the door')
  }
  const entrance = createEntrance(limits.DRAIN_TIMEOUT_MS)
  entrance.open((request, response) => void serve(request, response))
  const server = createServer(entrance.handle)
  server.on('connection', entrance.connected)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the test server has no port')
  return { port: address.port, server }
}

const sendTo = async (
  port: number,
  path: string,
  { method = 'POST', headers = {}, body, chunks }: Sent = {},
): Promise<Answer> => {
  // On a connection of its own: a test that keeps this thread busy for seconds lets a kept one run into its timeout.
  const outgoing = httpRequest({ host: '127.0.0.1', port, path, method, headers: { ...headers }, agent: false })
  // Whoever is refused may still be writing when the answer is there and the connection is closed; before, `once` rejects.
  outgoing.on('error', () => undefined)
  if (chunks === undefined || body === undefined) {
    outgoing.end(body)
  } else {
    const bytes = Buffer.from(body)
    const size = Math.ceil(bytes.byteLength / chunks)
    for (let at = 0; at < bytes.byteLength; at += size) outgoing.write(bytes.subarray(at, at + size))
    outgoing.end()
  }
  const [incoming] = await once(outgoing, 'response')
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  const text = Buffer.concat(pieces).toString('utf8')
  const json: Record<string, unknown> = text.startsWith('{') ? JSON.parse(text) : {}
  return { status: incoming.statusCode, headers: incoming.headers, text, json }
}

export const EVENT_ID = '9ec79c33ec9942ab8353589fcb2e04dc'

/** Header and items to envelope text; an item is a header and a payload. */
export const envelopeOf = (
  header: Record<string, unknown>,
  ...items: readonly (readonly [Record<string, unknown>, string])[]
): string =>
  [JSON.stringify(header), ...items.flatMap(([itemHeader, payload]) => [JSON.stringify(itemHeader), payload])].join(
    '\n',
  )

export const EVENT = envelopeOf({ event_id: EVENT_ID }, [{ type: 'event' }, '{"message":"hello"}'])

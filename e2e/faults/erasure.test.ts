import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { randomFrom } from '../../bench/events.ts'
import type { Erasure, ErasurePreview } from '../../packages/contract/src/index.ts'
import type { Account } from '../../tools/harness/server.ts'
import { sendFeedback } from '../lib/feedback.ts'
import { pngOf } from '../lib/png.ts'
import { sendSegment } from '../lib/replays.ts'
import { errorEvent, newEventId, sendEvent, sendEvents, sendItems } from '../lib/send.ts'
import { newSpanId, newTraceId, sendTransaction } from '../lib/transactions.ts'
import { until } from '../lib/until.ts'
import { seedOf } from '../security/lib/random.ts'
import { freshFolder, removeFolder, setUp, startFirsthand, type Firsthand } from './lib/firsthand.ts'
import { ledgerRows, telemetryRows } from './lib/stores.ts'

const ROUNDS = 3
const KILL_WITHIN_MS = 3000
const ERASE_MS = 240_000
/** On their way to the stores when it is asked for. */
const WAITING = 200

let server: Firsthand | null = null
const dataDir = freshFolder()
afterEach(async () => {
  await server?.killAll()
  removeFolder(dataDir)
})

interface Visitor {
  readonly id: string
  readonly email: string
}
const MARTA: Visitor = { id: '7', email: 'marta@x.example' }
const JONAS: Visitor = { id: '8', email: 'jonas@x.example' }

const failure = (user: Visitor) => ({ ...errorEvent('TypeError', 'it broke'), user })

/** One of everything that is kept of a person. */
const visit = async (dsn: string, user: Visitor): Promise<void> => {
  const seconds = Date.now() / 1000
  await sendEvent(dsn, failure(user))
  await sendFeedback(
    dsn,
    { message: `It broke for ${user.id}`, contact_email: user.email },
    { event: { user }, files: [{ name: 'screenshot.png', type: 'image/png', bytes: new Uint8Array(pngOf(64, 40)) }] },
  )
  await sendTransaction(dsn, {
    traceId: newTraceId(),
    startMs: Date.now() - 1000,
    user: user.id,
    root: {
      op: 'http.server',
      name: 'GET /',
      from: 0,
      to: 100,
      children: [{ op: 'db', name: 'SELECT 1', from: 1, to: 9 }],
    },
  })
  const attributes = {
    'user.id': { type: 'string', value: user.id },
    'user.email': { type: 'string', value: user.email },
  }
  const line = {
    timestamp: seconds,
    trace_id: newTraceId(),
    span_id: newSpanId(),
    level: 'info',
    body: 'hello',
    attributes,
  }
  await sendItems(dsn, [{ type: 'log', payload: { items: [line] } }])
  await sendSegment(
    dsn,
    newEventId(),
    0,
    [{ type: 4, timestamp: Date.now(), data: { href: 'https://shop.example/', width: 800, height: 600 } }],
    { user },
  )
  const sid = `${newEventId().slice(0, 8)}-0000-4000-8000-${newEventId().slice(0, 12)}`
  const started = new Date(Date.now() - 1000).toISOString()
  const session = {
    sid,
    did: user.id,
    init: true,
    started,
    timestamp: new Date().toISOString(),
    status: 'ok',
    errors: 0,
    attrs: { release: 'shop@1' },
  }
  await sendItems(dsn, [{ type: 'session', payload: session }])
}

/** Files of the spool go at any moment. */
const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

const apiAt =
  ({ port }: Firsthand, { organization, token }: Account) =>
  async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/0/organizations/${organization}/person/erasures/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Body
  }

it(`kill -9 while a person is erased, ${ROUNDS} times, with errors of theirs on their way: everything of them goes, and nothing of others`, async () => {
  const seed = seedOf()
  process.stdout.write(`Seed ${seed} (FIRSTHAND_SEED repeats it)\n`)
  const random = randomFrom(seed)
  server = await startFirsthand({ dataDir })
  const account = await setUp(dataDir, server.port)
  const { dsn } = account
  const keptOf = async ({ id, email }: Visitor): Promise<Record<string, number>> => {
    if (server === null) throw new Error('no server runs')
    const names = [`id:${id}`, `email:${email}`].map((name) => `&name=${encodeURIComponent(name)}`).join('')
    const { counts } = await apiAt(server, account)<ErasurePreview>('GET', `preview/?user=id%3A${id}${names}`)
    return Object.fromEntries(counts.flatMap(({ what, count }) => (count ? [[what, count]] : [])))
  }
  const EVERYTHING = { errors: 1, reports: 1, replays: 1, spans: 2, logs: 1, sessions: 1 }
  for (const user of [MARTA, JONAS]) {
    await visit(dsn, user)
    await until(`everything of ${user.id}`, async () => {
      const kept = await keptOf(user)
      return Object.entries(EVERYTHING).every(([what, count]) => kept[what] === count) ? true : null
    })
  }
  const before = await keptOf(JONAS)
  // By the address alone, which stands beside an id.
  const path = `preview/?user=id%3A${MARTA.id}&name=${encodeURIComponent(`email:${MARTA.email}`)}`
  const { counts: byAddress } = await apiAt(server, account)<ErasurePreview>('GET', path)
  expect(byAddress).toContainEqual({ what: 'logs', count: 1 })
  await sendEvents(
    dsn,
    Array.from({ length: WAITING }, () => failure(MARTA)),
  )
  await apiAt(server, account)<Erasure>('POST', '', { names: [`id:${MARTA.id}`, `email:${MARTA.email}`] })
  await server.killAll()
  const ledger = new DatabaseSync(join(dataDir, 'ledger.sqlite'))
  ledger.exec('UPDATE erasures SET due_at = 1')
  ledger.close()

  for (let round = 0; round < ROUNDS; round += 1) {
    server = await startFirsthand({ dataDir, port: server.port })
    await pass(random() * KILL_WITHIN_MS)
    await server.killAll()
  }
  server = await startFirsthand({ dataDir, port: server.port })
  const running = server
  const [erasure] = await until(
    'the end of it',
    async () => {
      const all = await apiAt(running, account)<Erasure[]>('GET', '')
      return all[0]?.state === 'done' ? all : null
    },
    ERASE_MS,
  )
  expect(await keptOf(MARTA)).toEqual({})
  expect(await keptOf(JONAS)).toEqual(before)
  expect(erasure?.names).toEqual([])
  const counts = Object.fromEntries(erasure?.counts.map(({ what, count }) => [what, count]) ?? [])
  expect(counts).toMatchObject({ errors: WAITING + 1, reports: 1, replays: 1, spans: 2, logs: 1, sessions: 1 })
  // Files of reports and errors, and what finds and counts them.
  expect(await telemetryRows(running, 'SELECT event_id FROM kept_items')).toHaveLength(1)
  for (const table of ['spans', 'segments', 'logs']) {
    expect(await telemetryRows(running, `SELECT DISTINCT user FROM ${table}`)).toEqual([{ user: `id:${JONAS.id}` }])
  }
  // As it was received it goes a moment later.
  const received = (): string =>
    readdirSync(join(dataDir, 'spool'))
      .filter((name) => name.endsWith('.spool'))
      .map((name) => readIfThere(join(dataDir, 'spool', name)))
      .join('')
  await until('the end of what was received', async () => (received().includes(MARTA.email) ? null : true))
  // What was deleted is written down by the engine, and nobody can read of whom it was.
  const changes = readdirSync(join(dataDir, 'telemetry'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /mutation_\d+\.txt$/.test(path))
    .map((path) => readFileSync(join(dataDir, 'telemetry', path), 'utf8'))
  expect(changes.filter((text) => text.includes('MD5('))).not.toEqual([])
  expect(changes.filter((text) => text.includes(MARTA.email) || text.includes(`id:${MARTA.id}`))).toEqual([])
  expect(ledgerRows(dataDir, 'SELECT event_id FROM event_index')).toHaveLength(1)
  expect(ledgerRows(dataDir, 'SELECT times_seen FROM issues')).toEqual([{ times_seen: 1 }])
  expect(ledgerRows(dataDir, `SELECT id FROM facts WHERE data LIKE '%${MARTA.email}%'`)).toEqual([])
}, 900_000)

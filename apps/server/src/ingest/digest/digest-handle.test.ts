import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serializeEnvelope } from '@firsthand/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestStores } from '../../../test/crash/test-stores.ts'
import { readConfig } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLogger } from '../../lib/logger.ts'
import { openSpool } from '../spool/spool.ts'
import type { Spool } from '../spool/spool.ts'
import { createDigestHandle } from './digest-handle.ts'
import type { DigestHandle } from './digest-handle.ts'
import type { DigestState } from './retry.ts'
import type { Announcement } from './settle-batch.ts'

const WORKER = new URL('../../../test/crash/digest-worker.ts', import.meta.url)
const SPINNING = new URL('../../../test/crash/spinning-worker.ts', import.meta.url)
const DYING = new URL('../../../test/crash/dying-worker.ts', import.meta.url)
const ID = 'ab'.repeat(16)

let directory: string
let spool: Spool
let lines: string[]
let states: DigestState[]
let news: Announcement[]
let handle: DigestHandle | null
const logger = createLogger(
  'debug',
  (line) => lines.push(line),
  () => 0,
)

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'firsthand-handle-'))
  lines = []
  states = []
  news = []
  handle = null
  spool = await openSpool({ directory: join(directory, 'spool'), logger, limits: { reserveBytes: 0 } })
})
afterEach(async () => {
  await handle?.drain()
  await spool.close()
  await rm(directory, { recursive: true, force: true })
})

const start = (worker: URL, drainMs?: number): DigestHandle => {
  handle = createDigestHandle({
    config: {
      ...readConfig({ FIRSTHAND_DATA_DIR: directory }),
      telemetry: { kind: 'engine', socketPath: 'not used by this worker' },
    },
    spool,
    logger,
    clock: systemClock,
    onNews: (more) => news.push(...more),
    onState: (state) => states.push(state),
    worker,
    ...(drainMs !== undefined && { drainMs }),
    restartFirstMs: 1,
  })
  return handle
}

const until = async (condition: () => boolean): Promise<void> => {
  const deadline = Date.now() + 60_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited too long\n${lines.join('')}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

const appendEvent = (id = ID, message = 'a'): Promise<void> =>
  spool.append({
    kind: 'envelope',
    receivedAt: 1_795_000_000_000,
    sender: { organizationId: 1, projectId: 7, keyId: 3, clientAddress: null, userAgent: null, origin: null, sdk: '' },
    body: serializeEnvelope({ event_id: id }, [
      { header: { type: 'event' }, payload: Buffer.from(JSON.stringify({ message })) },
    ]),
  })

describe('digest handle', () => {
  it('digests in another thread, relays news and progress, and drains', async () => {
    const running = start(WORKER)
    await appendEvent()
    await until(() => news.length > 0)
    expect(news[0]).toMatchObject({ projectId: 7, data: { opened: [1], events: [{ eventId: ID, issueId: 1 }] } })
    expect(spool.backlogBytes()).toBe(0)
    expect(running.state().status).toBe('running')
    await running.drain()
    expect(running.state().status).toBe('stopped')
    const stores = openTestStores(join(directory, 'stores'))
    expect(stores.storedEventIds()).toEqual([ID])
    stores.close()
  })

  it('starts the thread again when it dies, and says so', async () => {
    const running = start(new URL('data:text/javascript,throw new Error("boom")'))
    await until(() => lines.filter((line) => line.includes('its thread died')).length >= 3)
    expect(running.state().status).toBe('retrying')
    expect(running.state().detail).toContain('boom')
    await running.drain()
    expect(running.state().status).toBe('stopped')
  })

  it.each(['expand', 'apply'])(
    'sets the record aside over which the thread dies in %s, alone, and digests its neighbours',
    async (step) => {
      const ids = Array.from({ length: 20 }, (_, at) => at.toString(16).padStart(32, '0'))
      const deadly = ids.slice(11, 12)
      for (const id of ids) await appendEvent(id, deadly.includes(id) ? 'deadly' : 'a')
      process.env['DIE_AT'] = step
      const running = start(DYING)
      await until(() => spool.backlogBytes() === 0)
      delete process.env['DIE_AT']
      await running.drain()
      const stores = openTestStores(join(directory, 'stores'))
      expect(stores.storedEventIds().toSorted()).toEqual(ids.filter((id) => !deadly.includes(id)))
      expect(stores.outcomes().filter(({ outcome }) => outcome === 'invalid')).toMatchObject([
        { reason: 'internal_error', quantity: deadly.length },
      ])
      stores.close()
      const kept = readdirSync(join(directory, 'quarantine')).map((name) =>
        readFileSync(join(directory, 'quarantine', name), 'utf8'),
      )
      expect(kept.map((text) => deadly.find((id) => text.includes(id)))).toEqual(deadly)
    },
  )

  it('says why while the stores cannot be opened, and drains all the same', async () => {
    process.env['CRASH_AT'] = 'throw'
    const running = start(WORKER)
    delete process.env['CRASH_AT']
    await until(() => running.state().status === 'retrying')
    expect(running.state().detail).toContain('the stores cannot be opened')
    await running.drain()
    expect(running.state().status).toBe('stopped')
  })

  it.each(['loop', 'expression'])(
    'stops a thread that never comes back from a %s, and loses nothing',
    async (where) => {
      process.env['SPIN'] = where
      const spinning = start(SPINNING, 1)
      delete process.env['SPIN']
      await appendEvent()
      await until(() => existsSync(join(directory, 'spinning')))
      await spinning.drain()
      expect(spinning.state().status).toBe('stopped')
      expect(lines.join('')).toContain('its batch is repeated at the next start')
      expect(spool.backlogBytes()).toBeGreaterThan(0)

      const next = start(WORKER)
      await until(() => news.length > 0)
      await next.drain()
      const stores = openTestStores(join(directory, 'stores'))
      expect(stores.storedEventIds()).toEqual([ID])
      stores.close()
    },
  )
})

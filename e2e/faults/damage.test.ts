import { execFileSync } from 'node:child_process'
import { rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Account } from '../../tools/harness/server.ts'
import { until } from '../lib/until.ts'
import {
  environmentOf,
  freshFolder,
  health,
  removeFolder,
  runFirsthand,
  setUp,
  startFirsthand,
  statusOf,
} from './lib/firsthand.ts'
import type { Firsthand } from './lib/firsthand.ts'
import { createLedger, makeSent, sendOne, startLoad } from './lib/load.ts'
import { readStored, telemetryRows, waitForEvent } from './lib/stores.ts'
import { judge } from './lib/verdict.ts'
import { copyWith } from './lib/copy.ts'

/** What the watchdog needs at most, and some. */
const RESTART_MS = 120_000

describe('damage is told, in status and by doctor', () => {
  let dataDir = ''
  let server: Firsthand
  let account: Account
  let index = 0
  const sent = createLedger()
  const next = () => makeSent(account, index++)

  beforeEach(async () => {
    dataDir = freshFolder()
    server = await startFirsthand({ dataDir })
    account = await setUp(dataDir, server.port)
    sent.acknowledged.clear()
    sent.doubtful.clear()
    sent.sendings.clear()
    sent.refused.clear()
  })
  afterEach(async () => {
    await server.killAll()
    removeFolder(dataDir)
  })

  const get = async (path: string): Promise<{ status: number; retryAfter: string | null; text: string }> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/0/organizations/${account.organization}${path}`, {
      headers: { authorization: `Bearer ${account.token}` },
      signal: AbortSignal.timeout(RESTART_MS),
    })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
  }
  const doctor = async (): Promise<string> =>
    (await runFirsthand(['doctor'], environmentOf(dataDir, server.port))).stdout
  const problemIds = async (): Promise<string[]> => (await statusOf(server.port, account)).problems.map(({ id }) => id)

  it('an engine that is stopped, not dead: reads end with 503 and a sentence, and it is started again', async () => {
    const before = makeSent(account, index++, 'event')
    await sendOne(server.port, before, sent)
    await waitForEvent(server, before.id)
    const engine = await until('the engine', () => Promise.resolve(server.enginePid()))
    process.kill(engine, 'SIGSTOP')
    const during = makeSent(account, index++, 'event')
    expect(await sendOne(server.port, during, sent)).toBe(200)
    // Told while it hangs; both are asked at once, for the watchdog may be quicker than two questions one by one.
    const [read] = await Promise.all([
      get('/events/?field=title&statsPeriod=1h'),
      until('the finding', async () => ((await problemIds()).includes('telemetry') ? true : null), RESTART_MS),
    ])
    expect(read).toMatchObject({ status: 503, retryAfter: '10' })
    expect(read.text).toContain('The telemetry does not answer at this moment')
    await until('the good state', async () => ((await problemIds()).length === 0 ? true : null), RESTART_MS)
    expect(server.enginePid()).not.toBe(engine)
    await waitForEvent(server, during.id)
    expect(judge(sent, await readStored(server))).toEqual({ lost: [], doubled: [], wrong: [] })
  })

  it('a ledger that is replaced while the server runs: 503 and a sentence, until a new start', async () => {
    const first = makeSent(account, index++, 'event')
    await sendOne(server.port, first, sent)
    await waitForEvent(server, first.id)
    const ledger = join(dataDir, 'ledger.sqlite')
    const kept = join(dataDir, 'kept')
    const database = new DatabaseSync(ledger, { timeout: 60_000 })
    database.exec(`VACUUM INTO '${kept}'`)
    database.close()
    execFileSync('cp', ['/dev/null', ledger])
    const told = await until('the sentence', async () => {
      const answer = await get('/status/')
      return answer.status === 503 ? answer : null
    })
    expect(told.text).toContain('The ledger (accounts, projects and issues) was replaced while the server runs')
    expect(told.retryAfter).toBe('10')
    expect(await sendOne(server.port, makeSent(account, index++, 'event'), sent)).toBe(503)
    expect(
      await until('the finding', async () => (/^✗ ledger_replaced .*$/m.exec(await doctor()) ?? [])[0] ?? null),
    ).toMatch(/replaced, overwritten or removed.*remove .*-wal/)
    await server.end('SIGTERM')

    for (const suffix of ['-wal', '-shm']) rmSync(ledger + suffix, { force: true })
    execFileSync('cp', [kept, ledger])
    server = await startFirsthand({ dataDir, port: server.port })
    expect((await get('/status/')).status).toBe(200)
    await waitForEvent(server, first.id)
  })

  it('a part that was cut while the server was stopped: the rows that are missing are told at its start', async () => {
    const first = makeSent(account, index++, 'event')
    await sendOne(server.port, first, sent)
    await waitForEvent(server, first.id)
    const [part] = await telemetryRows<{ path: string }>(
      server,
      `SELECT path FROM system.parts WHERE active AND table = 'events'`,
    )
    await server.end('SIGTERM')
    const data = join(part?.path ?? '', 'data.bin')
    truncateSync(data, Math.floor(statSync(data).size / 2))
    server = await startFirsthand({ dataDir, port: server.port })
    const status = await statusOf(server.port, account)
    expect(status).toMatchObject({ status: 'degraded', problems: [{ id: 'telemetry_set_aside' }] })
    expect(status.problems[0]?.message).toMatch(/1 damaged part of events with about 1 rows between .* backup/)
    expect(await doctor()).toMatch(/^✗ telemetry_set_aside .*damaged part of events/m)
  })

  it('a copy of a running server that lost events says so when it is started', async () => {
    const load = startLoad(server.port, 4, sent, next)
    await until('some answers', () => Promise.resolve(load.answered() > 400 ? true : null))
    const copy = freshFolder()
    try {
      // The ledger last, as a copy takes its files in any order: it counts what the telemetry of the copy does not have.
      for (const name of ['telemetry', 'spool', 'blobs']) copyWith('-a', [join(dataDir, name)], copy)
      const before = load.answered()
      await until('more answers', () => Promise.resolve(load.answered() > before + 400 ? true : null))
      await load.stop()
      const last = makeSent(account, index++, 'event')
      await sendOne(server.port, last, sent)
      await waitForEvent(server, last.id)
      await server.end('SIGTERM')
      execFileSync('cp', [join(dataDir, 'ledger.sqlite'), copy])
      const original = await startFirsthand({ dataDir, port: server.port })
      server = original
      await until('a look', async () => ((await statusOf(server.port, account)).status === 'ok' ? true : null))
      await server.end('SIGTERM')
      expect(server.stderr()).not.toContain('cannot be read')
      server = await startFirsthand({ dataDir: copy, port: server.port })
      const found = await until('the finding', async () => {
        const { problems } = await statusOf(server.port, account)
        return problems.find(({ id }) => id === 'stores_differ') ?? null
      })
      expect(found.message).toMatch(/Of \d+ events .* cannot be read.*copy of a running server/)
      expect(await health(server.port)).toBe(200)
    } finally {
      await server.killAll()
      removeFolder(copy)
    }
  })
})

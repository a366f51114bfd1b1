import { once } from 'node:events'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onBehalfOf } from '../../lib/caller-context.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { LIMITS } from '../limits.ts'
import { recordingLogger, temporaryFolder, testClock } from '../conformance/engines.ts'
import type { Ledger } from './ledger.ts'
import { threadedExecutor } from './sqlite-threads.ts'
import { openLedger } from '../../../test/stores/open.ts'

const PLAIN = { pragmas: [], statementCache: 10 }
const ADA = { organizationId: 1, caller: 'user:1' }
const BOB = { organizationId: 1, caller: 'user:2' }
const EVE = { organizationId: 2, caller: 'user:3' }

/** Counts as far as it is told to. SQLite cannot be stopped while it does, but where `in_time` is asked. */
const countTo = (rows: number, asksForTime = false) => sql<{ rows: number }>`SELECT count(*) AS rows FROM (
  WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${rows})
  SELECT n FROM counted WHERE ${asksForTime ? sql`in_time(n)` : sql`1`})`

const ENDLESS = Number.MAX_SAFE_INTEGER

/** A gigabyte of text: more than the heap of a thread holds. */
const tooMuch = sql`SELECT hex(zeroblob(8000000 + n)) FROM (
  WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 64)
  SELECT n FROM counted)`

const organization = (slug: string) => ({ slug, name: slug, retention_days: 90, settings: '{}', created_at: 0 })

describe('threads of a SQLite ledger', () => {
  it('the one that writes ends when it is idle, not within a transaction, and comes back', async () => {
    const folder = temporaryFolder()
    const path = join(folder.path, 'ledger.sqlite')
    const { logger } = recordingLogger()
    const exits: Promise<unknown>[] = []
    const note = (worker: Worker): void => {
      exits.push(once(worker, 'exit'))
    }
    process.on('worker', note)
    const executor = threadedExecutor({ path, ...PLAIN, logger, readTimeoutMs: 60_000, idleMs: 5 })
    try {
      const writer = executor.writer()
      await writer.run('CREATE TABLE counted (n INTEGER)', [])
      const transaction = executor.writer()
      await transaction.run('BEGIN IMMEDIATE', [])
      await transaction.run('INSERT INTO counted VALUES (1)', [])
      // A reader has become idle and ended meanwhile.
      await executor.read('SELECT 1', [])
      await exits.at(-1)
      await transaction.run('COMMIT', [])
      await Promise.all(exits)
      await executor.writer().run('INSERT INTO counted VALUES (2)', [])
      expect((await executor.read('SELECT n FROM counted ORDER BY n', [])).rows).toEqual([{ n: 1 }, { n: 2 }])
    } finally {
      await executor.close()
      process.off('worker', note)
      folder.remove()
    }
  })

  it('readers end when they are idle, not while they read, and come back', { timeout: 60_000 }, async () => {
    const folder = temporaryFolder()
    const path = join(folder.path, 'ledger.sqlite')
    const context = { logger: recordingLogger().logger, clock: testClock() }
    await (await openLedger({ path }, context)).close()
    const started: { readonly exit: Promise<unknown> }[] = []
    const note = (worker: Worker): void => {
      started.push({ exit: once(worker, 'exit') })
    }
    process.on('worker', note)
    const executor = threadedExecutor({
      path,
      ...PLAIN,
      logger: context.logger,
      readTimeoutMs: 60_000,
      idleMs: 5,
    })
    try {
      const read = async () => (await executor.read('SELECT 1 AS one', [])).rows
      const count = `SELECT count(*) AS rows FROM (
        WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1000000) SELECT n FROM counted)`
      expect((await executor.read(count, [])).rows).toEqual([{ rows: 1_000_000 }])
      expect(started).toHaveLength(1)
      await started[0]?.exit
      expect(await Promise.all([read(), read()])).toEqual([[{ one: 1 }], [{ one: 1 }]])
      expect(started).toHaveLength(3)
      await Promise.all(started.map(({ exit }) => exit))
      expect(await read()).toEqual([{ one: 1 }])
    } finally {
      await executor.close()
      process.off('worker', note)
      folder.remove()
    }
  })
})

describe('SQLite ledger in threads', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let ledger: Ledger
  let lines: string[]

  const open = async (readTimeoutMs = 60_000): Promise<Ledger> => {
    const recording = recordingLogger()
    lines = recording.lines
    ledger = await openLedger(
      { path: join(folder.path, 'ledger.sqlite') },
      { logger: recording.logger, clock: testClock(), inThreads: true, readTimeoutMs },
    )
    return ledger
  }
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(async () => {
    await ledger.close()
    folder.remove()
  })

  const slugs = async () =>
    (await ledger.db.selectFrom('organizations').select('slug').orderBy('id').execute()).map((row) => row.slug)

  it('a thread that starts while the file is moved away makes no other in its place', async () => {
    await open()
    const path = join(folder.path, 'ledger.sqlite')
    renameSync(path, `${path}.away`)
    // More at once than have a thread by now.
    const reads = await Promise.allSettled(Array.from({ length: 6 }, () => slugs()))
    expect(reads.some(({ status }) => status === 'rejected')).toBe(true)
    expect(existsSync(path)).toBe(false)
    renameSync(`${path}.away`, path)
    expect(await Promise.all(Array.from({ length: 6 }, () => slugs()))).toEqual(Array.from({ length: 6 }, () => []))
  })

  it('the event loop turns while a statement reads, writes or runs in a transaction', async () => {
    const { db } = await open()
    const roundsDuring = async (work: Promise<unknown>): Promise<number> => {
      const state = { running: true, rounds: 0 }
      const ended = work.finally(() => (state.running = false))
      while (state.running) {
        await new Promise(setImmediate)
        state.rounds += 1
      }
      await ended
      return state.rounds
    }
    const many = countTo(500_000)
    expect(await roundsDuring(many.execute(db))).toBeGreaterThan(100)
    expect(await roundsDuring(ledger.transaction((transaction) => many.execute(transaction)))).toBeGreaterThan(100)
    const writes = sql`CREATE TEMPORARY TABLE counted AS ${many}`.execute(db)
    expect(await roundsDuring(writes)).toBeGreaterThan(100)
  })

  it('others read while slow statements have all the readers that callers may have', async () => {
    const { db } = await open()
    const ends: string[] = []
    const slow = [ADA, BOB, EVE].map((caller) =>
      onBehalfOf(caller, () => countTo(ENDLESS, true).execute(db)).catch((error: Error) => ends.push(error.message)),
    )
    expect(slow.length).toBe(LIMITS.LEDGER_READERS - 1)
    // The server's own reads, e.g. of the door, always have a reader.
    for (let read = 0; read < 20; read += 1) expect(await slugs()).toEqual([])
    expect(ends).toEqual([])
    await ledger.close()
    await Promise.all(slow)
    // One that was still on its way finds the ledger closed.
    for (const end of ends) expect(end).toMatch(/^(Nobody waits for this statement any more|The ledger is closed)$/)
    expect(ends).toHaveLength(slow.length)
    await expect(slugs()).rejects.toThrow('destroyed')
  })

  it('a statement that takes too long is refused and stopped, and the caller can read again', async () => {
    const { db } = await open(500)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const read = onBehalfOf(ADA, () => countTo(ENDLESS, true).execute(db))
      // Were the one before still running, this one would wait for its turn and be refused as `busy`.
      await expect(read).rejects.toMatchObject({ name: 'StatementRefusal', reason: 'slow' })
    }
    expect(await onBehalfOf(ADA, slugs)).toEqual([])
  })

  it('one that cannot be stopped is refused in time as well, and keeps its caller from more readers until it ends', async () => {
    const { db } = await open(50)
    const ask = () => onBehalfOf(ADA, () => countTo(3_000_000).execute(db))
    await expect(ask()).rejects.toMatchObject({ reason: 'slow' })
    await expect(ask()).rejects.toMatchObject({ reason: 'busy' })
    expect(await slugs()).toEqual([])
  })

  it('work of the server itself has no deadline', async () => {
    const { db } = await open(1)
    expect((await countTo(200_000).execute(db)).rows).toEqual([{ rows: 200_000 }])
  })

  it('a reading thread that dies is replaced', async () => {
    const { db } = await open()
    await expect(tooMuch.execute(db)).rejects.toBeInstanceOf(StatementRefusal)
    expect(await slugs()).toEqual([])
    expect(lines.join('')).toContain('A thread of the ledger ended in the middle of a statement')
  })

  it('ends in order while reads of the server run, wait for a reader, and have only just begun', async () => {
    const { db } = await open()
    const running = Array.from({ length: LIMITS.LEDGER_READERS }, () => countTo(ENDLESS, true).execute(db))
    const waiting = Array.from({ length: 3 }, () => slugs())
    // All are asked, and the last one waits.
    await new Promise(setImmediate)
    const ends = Promise.allSettled([...running, ...waiting])
    const last = slugs().catch((error: Error) => error.message)
    await ledger.close()
    const reasons = (await ends).map((end) => (end.status === 'rejected' ? (end.reason as Error).message : 'answered'))
    for (const reason of reasons) expect(reason).toMatch(/^(Nobody waits for this statement|The ledger is closed)/)
    expect(await last).toMatch(/closed|destroyed/)
    expect(lines.join('')).not.toContain('in the middle of a statement')
  })

  it('a statement that cannot be sent to its thread is refused, and nothing waits for it', async () => {
    const { db } = await open()
    await expect(sql`SELECT ${Symbol('not for other threads')}`.execute(db)).rejects.toThrow(/could not be cloned/)
    await ledger.close()
    expect(lines.join('')).not.toContain('in the middle of a statement')
  })

  it('a writing thread that dies takes its transaction with it, and nothing else', async () => {
    const { db } = await open()
    await db.insertInto('organizations').values(organization('before')).execute()
    const failing = ledger.transaction(async (transaction) => {
      await transaction.insertInto('organizations').values(organization('lost')).execute()
      await tooMuch.execute(transaction).catch(() => {})
      // Not on another connection, outside of the transaction.
      await transaction.insertInto('organizations').values(organization('lost too')).execute()
    })
    await expect(failing).rejects.toMatchObject({ reason: 'lost' })
    await db.insertInto('organizations').values(organization('after')).execute()
    expect(await slugs()).toEqual(['before', 'after'])
  })

  it('says what SQLite says of a statement that it refuses', async () => {
    const { db } = await open()
    await db.insertInto('organizations').values(organization('one')).execute()
    const again = db.insertInto('organizations').values(organization('one')).execute()
    await expect(again).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR', errcode: 2067 })
    await expect(again).rejects.toThrow(/UNIQUE constraint failed/)
    await expect(sql`SELECT id FROM nowhere`.execute(db)).rejects.toThrow(/no such table: nowhere/)
  })

  it('who has been told that it is saved reads it, whoever reads beside', async () => {
    const { db } = await open()
    for (let index = 0; index < 20; index += 1) {
      await db
        .insertInto('organizations')
        .values(organization(`o${index}`))
        .execute()
      const seen = await Promise.all([ADA, BOB, EVE].map((caller) => onBehalfOf(caller, slugs)))
      expect(seen.map((list) => list.length)).toEqual([index + 1, index + 1, index + 1])
    }
  })
})

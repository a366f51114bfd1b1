import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { ProjectLookup } from '../../src/accounts/settings.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../../src/accounts/settings.ts'
import type { DigestLedger, ItemKind, LedgerWork, OutcomeStore, Verdict } from '../../src/ingest/index.ts'
import { createEventItems } from '../../src/issues/digest/event-items.ts'
import type { MadeEvent, ReadEvent } from '../../src/issues/digest/event-items.ts'
import type { LedgerVerdict } from '../../src/issues/issues.store.ts'
import type { KeptItem } from '../../src/kept-items/kept-item.ts'
import { createKeptItems } from '../../src/kept-items/kept-items.ts'
import { createClientReports } from '../../src/receipts/client-reports.ts'
import { createUnsupportedItems } from '../../src/receipts/unsupported-items.ts'
import { createLogger } from '../../src/lib/logger.ts'
import type { BlobStore } from '../../src/storage/blobs/blobs.store.ts'
import { testSteps } from './test-steps.ts'

/**
 * The ports of the digest on two SQLite files, with nothing but what their docstrings promise: what crash tests need
 * to look at. Ledger and telemetry are two databases on purpose, so that a crash can fall between them.
 */
export interface TestStores {
  readonly ledger: DigestLedger
  /** The kinds of items of the product, on these stores; the first is the events. */
  readonly kinds: readonly ItemKind[]
  readonly outcomeStore: OutcomeStore
  /** Ids of events that telemetry will never take, nor what came with them. */
  readonly refusedIds: Set<string>
  readonly blobs: BlobStore
  readonly projects: Pick<ProjectLookup, 'byProjectId'>
  /** Event ids as telemetry has them, in no order; a doubled row shows twice. */
  storedEventIds(): string[]
  /** Event ids as the ledger has them, with how often each was counted. */
  countedEvents(): { id: string; times: number }[]
  keptItems(): {
    id: string
    itemType: string
    eventId: string | null
    payload: string | null
    blobKey: string | null
  }[]
  outcomes(): {
    outcome: string
    reason: string
    itemType: string
    category: string
    sdk: string
    quantity: number
    bytes: number
  }[]
  batches(): number
  close(): void
}

type Stored = Extract<LedgerVerdict, { kind: 'stored' }>

/** @param path prefix of the two files, or null for stores in memory */
export const openTestStores = (path: string | null, deletedProjects: readonly number[] = []): TestStores => {
  const ledger = openDatabase(path, 'ledger', LEDGER_TABLES)
  const telemetry = openDatabase(path, 'telemetry', TELEMETRY_TABLES)
  const refusedIds = new Set<string>()
  const writer: TelemetryFile = { telemetry, refusedIds, writeOnce: createWriteOnce(telemetry) }
  const { writeOnce } = writer
  const blobs = createMemoryBlobs()
  return {
    ledger: createTestLedger(ledger),
    refusedIds,
    kinds: [
      createTestEvents(ledger, writer),
      createTestKeptItems(blobs, writer),
      createClientReports(),
      createUnsupportedItems(),
    ],
    outcomeStore: {
      write: (rows, token) =>
        writeOnce(`${token}:outcomes`, () => {
          const insert = telemetry.prepare('INSERT INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?)')
          for (const row of rows) {
            insert.run(row.outcome, row.reason, row.itemType, row.category, row.sdk, row.quantity, row.bytes)
          }
        }),
    },
    blobs,
    projects: {
      byProjectId: async (projectId) =>
        deletedProjects.includes(projectId)
          ? null
          : { organizationId: 1, settings: DEFAULT_PROJECT_SETTINGS, platform: 'javascript' },
    },
    storedEventIds: () => (telemetry.prepare('SELECT id FROM events').all() as { id: string }[]).map((row) => row.id),
    countedEvents: () =>
      ledger.prepare('SELECT id, count(*) AS times FROM counted GROUP BY id').all() as { id: string; times: number }[],
    keptItems: () => telemetry.prepare('SELECT * FROM kept').all() as ReturnType<TestStores['keptItems']>,
    outcomes: () =>
      telemetry
        .prepare(
          `SELECT outcome, reason, itemType, category, sdk, sum(quantity) AS quantity, sum(bytes) AS bytes FROM outcomes
           GROUP BY outcome, reason, itemType, category, sdk ORDER BY outcome, reason, itemType`,
        )
        .all() as ReturnType<TestStores['outcomes']>,
    batches: () =>
      (telemetry.prepare("SELECT count(*) AS n FROM tokens WHERE token LIKE '%:outcomes'").get() as { n: number }).n,
    close: () => {
      ledger.close()
      telemetry.close()
    },
  }
}

const LEDGER_TABLES = `
  CREATE TABLE IF NOT EXISTS progress (spool TEXT PRIMARY KEY, batch INT, segment INT, offset INT, pending_segment INT, pending_offset INT, waiting_types TEXT);
  CREATE TABLE IF NOT EXISTS events (project INT, id TEXT, issue INT, batch INT, PRIMARY KEY (project, id));
  CREATE TABLE IF NOT EXISTS issues (id INTEGER PRIMARY KEY, project INT, hash TEXT, times INT, UNIQUE (project, hash));
  CREATE TABLE IF NOT EXISTS counted (id TEXT);
`
const TELEMETRY_TABLES = `
  CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS events (id TEXT);
  CREATE TABLE IF NOT EXISTS kept (id TEXT, itemType TEXT, eventId TEXT, payload TEXT, blobKey TEXT);
  CREATE TABLE IF NOT EXISTS outcomes (outcome TEXT, reason TEXT, itemType TEXT, category TEXT, sdk TEXT, quantity INT, bytes INT);
`

const openDatabase = (path: string | null, name: 'ledger' | 'telemetry', tables: string): DatabaseSync => {
  const database = new DatabaseSync(path === null ? ':memory:' : `${path}.${name}`)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec(tables)
  return database
}

const inTransaction = async <Value>(database: DatabaseSync, work: () => Value | Promise<Value>): Promise<Value> => {
  database.exec('BEGIN IMMEDIATE')
  try {
    const value = await work()
    database.exec('COMMIT')
    return value
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** Telemetry as the kinds write it. */
interface TelemetryFile {
  readonly telemetry: DatabaseSync
  readonly refusedIds: ReadonlySet<string>
  /** Does the work unless the token was written before. */
  writeOnce(token: string, work: () => void): Promise<void>
}

/** Of telemetry, one after the other: several tables are written side by side, on one connection. */
const createWriteOnce = (telemetry: DatabaseSync): TelemetryFile['writeOnce'] => {
  let writing: Promise<unknown> = Promise.resolve()
  return (token, work) => {
    const written = writing.then(() =>
      inTransaction(telemetry, () => {
        const { changes } = telemetry.prepare('INSERT OR IGNORE INTO tokens VALUES (?)').run(token)
        if (changes > 0) work()
      }),
    )
    writing = written.catch(() => undefined)
    return written
  }
}

const refuse = <Row>(refusedIds: ReadonlySet<string>, rows: readonly Row[], idOf: (row: Row) => string | null) =>
  new Map(rows.flatMap((row, index) => (refusedIds.has(idOf(row) ?? '') ? [[index, 'refused'] as const] : [])))

const readProgress = (ledger: DatabaseSync, spool: string) => {
  const row = ledger.prepare('SELECT * FROM progress WHERE spool = ?').get(spool) as
    | {
        batch: number
        segment: number
        offset: number
        pending_segment: number | null
        pending_offset: number | null
        waiting_types: string
      }
    | undefined
  if (row === undefined) return { batch: 0, position: { segment: 0, offset: 0 }, pending: null, waitingTypes: null }
  return {
    batch: row.batch,
    position: { segment: row.segment, offset: row.offset },
    pending: row.pending_segment === null ? null : { segment: row.pending_segment, offset: row.pending_offset ?? 0 },
    waitingTypes: JSON.parse(row.waiting_types) as string[],
  }
}

const createTestLedger = (ledger: DatabaseSync): DigestLedger => ({
  apply: (batch) =>
    inTransaction(ledger, async () => {
      const progress = readProgress(ledger, batch.spool)
      const isRepeated = progress.pending !== null
      if (batch.number !== progress.batch + (isRepeated ? 0 : 1)) {
        throw new Error(`batch ${batch.number} after ${progress.batch}`)
      }
      // These stores have their own connection in hand.
      const work = { batch: batch.number, isRepeated, now: 0, dialect: 'sqlite' } as LedgerWork
      const verdicts: (readonly Verdict[])[] = []
      for (const part of batch.parts) verdicts.push(await part(work))
      ledger
        .prepare(
          `INSERT INTO progress VALUES (?, ?, 0, 0, ?, ?, ?)
           ON CONFLICT DO UPDATE SET batch = excluded.batch, pending_segment = excluded.pending_segment,
             pending_offset = excluded.pending_offset, waiting_types = excluded.waiting_types`,
        )
        .run(batch.spool, batch.number, batch.end.segment, batch.end.offset, JSON.stringify(batch.waitingTypes))
      return verdicts
    }),
  settle: async (spool, batch) => {
    ledger
      .prepare(
        `UPDATE progress SET segment = pending_segment, offset = pending_offset, pending_segment = NULL, pending_offset = NULL
             WHERE spool = ? AND batch = ? AND pending_segment IS NOT NULL`,
      )
      .run(spool, batch)
  },
  progress: async (spool) => readProgress(ledger, spool),
})

const createMemoryBlobs = (): BlobStore => {
  const blobsByKey = new Map<string, Uint8Array>()
  return {
    put: async (given) =>
      given.map(({ organizationId, bytes }) => {
        const key = `${organizationId}/${createHash('sha256').update(bytes).digest('hex')}`
        blobsByKey.set(key, Uint8Array.from(bytes))
        return key
      }),
    putFile: async ({ organizationId, path, sha256 }) => {
      const bytes = existsSync(path) ? readFileSync(path) : null
      if (bytes === null || createHash('sha256').update(bytes).digest('hex') !== sha256) return null
      blobsByKey.set(`${organizationId}/${sha256}`, bytes)
      return `${organizationId}/${sha256}`
    },
    get: async (key) => blobsByKey.get(key) ?? null,
    open: () => Promise.reject(new Error('not used')),
    sizes: async (keys) =>
      new Map(
        keys.flatMap((key) => (blobsByKey.has(key) ? [[key, blobsByKey.get(key)?.byteLength ?? 0] as const] : [])),
      ),
    remove: async (keys) => {
      for (const key of keys) blobsByKey.delete(key)
    },
  }
}

const applyEvent = (
  ledger: DatabaseSync,
  projectId: number,
  { summary }: ReadEvent,
  work: LedgerWork,
): Verdict<Stored> => {
  const id = summary.event.event_id
  const known = ledger.prepare('SELECT issue, batch FROM events WHERE project = ? AND id = ?').get(projectId, id) as
    | { issue: number; batch: number }
    | undefined
  if (known !== undefined) {
    if (!work.isRepeated || known.batch !== work.batch) {
      return { isStored: false, outcome: { kind: 'duplicate', reason: 'duplicate' } }
    }
    return { isStored: true, stored: { kind: 'stored', issueId: known.issue, opened: false, regressed: false } }
  }
  if (work.isRepeated) throw new Error(`event ${id} is new in the repeated batch ${work.batch}`)
  const hash = summary.grouping.hashes[0] ?? ''
  const issue = ledger
    .prepare(
      'INSERT INTO issues (project, hash, times) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET times = times + 1 RETURNING id, times',
    )
    .get(projectId, hash) as { id: number; times: number }
  ledger.prepare('INSERT INTO events VALUES (?, ?, ?, ?)').run(projectId, id, issue.id, work.batch)
  ledger.prepare('INSERT INTO counted VALUES (?)').run(id)
  return {
    isStored: true,
    stored: { kind: 'stored', issueId: issue.id, opened: issue.times === 1, regressed: false },
  }
}

const createTestEvents = (
  ledger: DatabaseSync,
  { telemetry, refusedIds, writeOnce }: TelemetryFile,
): ItemKind<ReadEvent, MadeEvent, Stored> => ({
  ...createEventItems({
    steps: testSteps,
    frames: {
      projects: () => Promise.resolve(new Set<number>()),
      find: () => Promise.resolve(null),
      ask: () => Promise.resolve({ files: new Map(), mappings: new Map() }),
      aboutNative: () => Promise.resolve([]),
    },
    logger: createLogger('error', () => undefined, Date.now),
    rows: {
      encode: ({ grouped }) => ({ bytes: Buffer.from(grouped.event.event_id), stacks: [] }),
      write: async (rows, { token }) => {
        const idOf = ({ row }: { row: { bytes: Uint8Array } }): string => Buffer.from(row.bytes).toString()
        const refused = refuse(refusedIds, rows, idOf)
        await writeOnce(`${token}:events`, () => {
          const insert = telemetry.prepare('INSERT INTO events VALUES (?)')
          rows.forEach((row, index) => refused.has(index) || insert.run(idOf(row)))
        })
        return refused
      },
    },
  }),
  apply: async (work, entries) =>
    entries.map(({ item, value }) => applyEvent(ledger, item.sender.projectId, value, work)),
})

const createTestKeptItems = (blobs: BlobStore, { telemetry, refusedIds, writeOnce }: TelemetryFile) => {
  const kept = createKeptItems({
    blobs,
    logger: createLogger('error', () => undefined, Date.now),
    writer: {
      insert: () => Promise.reject(new Error('not used')),
      insertRows: async (_table, rows, { token }) => {
        const items = rows as readonly unknown[] as readonly KeptItem[]
        const refused = refuse(refusedIds, items, ({ eventId }) => eventId)
        await writeOnce(`${token}:kept`, () => {
          const insert = telemetry.prepare('INSERT INTO kept VALUES (?, ?, ?, ?, ?)')
          items.forEach(({ id, itemType, eventId, payload, blobKey }, index) => {
            if (!refused.has(index)) insert.run(id, itemType, eventId, payload, blobKey)
          })
        })
        return refused
      },
    },
  })
  const keptItems: typeof kept = {
    ...kept,
    // This ledger has no table of blobs: they are noted as little as in a repeated batch.
    apply: async (work, entries, ready) => (await kept.apply?.({ ...work, isRepeated: true }, entries, ready)) ?? [],
  }
  return keptItems
}

import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { ProjectLookup } from '../../src/accounts/settings.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../../src/accounts/settings.ts'
import type { TelemetryStore } from '../../src/issues/events.store.ts'
import type { IssueStore, LedgerResult, LedgerVerdict } from '../../src/issues/issues.store.ts'
import type { BlobStore } from '../../src/storage/blobs/blobs.store.ts'

/**
 * The ports of the digest on two SQLite files, with nothing but what their docstrings promise: what crash tests need
 * to look at. Ledger and telemetry are two databases on purpose, so that a crash can fall between them.
 */
export interface TestStores {
  readonly ledger: IssueStore
  readonly telemetry: TelemetryStore
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

/** @param path prefix of the two files, or null for stores in memory */
export const openTestStores = (path: string | null, deletedProjects: readonly number[] = []): TestStores => {
  const ledger = new DatabaseSync(path === null ? ':memory:' : `${path}.ledger`)
  const telemetry = new DatabaseSync(path === null ? ':memory:' : `${path}.telemetry`)
  for (const database of [ledger, telemetry]) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  ledger.exec(`
    CREATE TABLE IF NOT EXISTS progress (spool TEXT PRIMARY KEY, batch INT, segment INT, offset INT, pending_segment INT, pending_offset INT);
    CREATE TABLE IF NOT EXISTS events (project INT, id TEXT, issue INT, batch INT, PRIMARY KEY (project, id));
    CREATE TABLE IF NOT EXISTS issues (id INTEGER PRIMARY KEY, project INT, hash TEXT, times INT, UNIQUE (project, hash));
    CREATE TABLE IF NOT EXISTS counted (id TEXT);
  `)
  telemetry.exec(`
    CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS events (id TEXT);
    CREATE TABLE IF NOT EXISTS kept (id TEXT, itemType TEXT, eventId TEXT, payload TEXT, blobKey TEXT);
    CREATE TABLE IF NOT EXISTS outcomes (outcome TEXT, reason TEXT, itemType TEXT, category TEXT, sdk TEXT, quantity INT, bytes INT);
  `)
  const refusedIds = new Set<string>()
  const inTransaction = <Value>(database: DatabaseSync, work: () => Value): Value => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      database.exec('COMMIT')
      return value
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }
  const readProgress = (spool: string) => {
    const row = ledger.prepare('SELECT * FROM progress WHERE spool = ?').get(spool) as
      | {
          batch: number
          segment: number
          offset: number
          pending_segment: number | null
          pending_offset: number | null
        }
      | undefined
    if (row === undefined) return { batch: 0, position: { segment: 0, offset: 0 }, pending: null }
    return {
      batch: row.batch,
      position: { segment: row.segment, offset: row.offset },
      pending: row.pending_segment === null ? null : { segment: row.pending_segment, offset: row.pending_offset ?? 0 },
    }
  }
  const blobsByKey = new Map<string, Uint8Array>()
  return {
    ledger: {
      apply: async (batch) =>
        inTransaction(ledger, (): LedgerResult => {
          const progress = readProgress(batch.spool)
          const repeated = progress.pending !== null
          if (batch.number !== progress.batch + (repeated ? 0 : 1)) {
            throw new Error(`batch ${batch.number} after ${progress.batch}`)
          }
          const verdicts = batch.events.map(({ projectId, grouped }): LedgerVerdict => {
            const id = grouped.event.event_id
            const known = ledger
              .prepare('SELECT issue, batch FROM events WHERE project = ? AND id = ?')
              .get(projectId, id) as { issue: number; batch: number } | undefined
            if (known !== undefined) {
              if (!repeated || known.batch !== batch.number) return { kind: 'duplicate' }
              return { kind: 'stored', issueId: known.issue, opened: false, regressed: false }
            }
            if (repeated) throw new Error(`event ${id} is new in the repeated batch ${batch.number}`)
            const hash = grouped.grouping.hashes[0] ?? ''
            const issue = ledger
              .prepare(
                'INSERT INTO issues (project, hash, times) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET times = times + 1 RETURNING id, times',
              )
              .get(projectId, hash) as { id: number; times: number }
            ledger.prepare('INSERT INTO events VALUES (?, ?, ?, ?)').run(projectId, id, issue.id, batch.number)
            ledger.prepare('INSERT INTO counted VALUES (?)').run(id)
            return { kind: 'stored', issueId: issue.id, opened: issue.times === 1, regressed: false }
          })
          ledger
            .prepare(
              `INSERT INTO progress VALUES (?, ?, 0, 0, ?, ?)
               ON CONFLICT DO UPDATE SET batch = excluded.batch, pending_segment = excluded.pending_segment, pending_offset = excluded.pending_offset`,
            )
            .run(batch.spool, batch.number, batch.end.segment, batch.end.offset)
          return { events: verdicts }
        }),
      settle: async (spool, batch) => {
        ledger
          .prepare(
            `UPDATE progress SET segment = pending_segment, offset = pending_offset, pending_segment = NULL, pending_offset = NULL
             WHERE spool = ? AND batch = ? AND pending_segment IS NOT NULL`,
          )
          .run(spool, batch)
      },
      progress: async (spool) => readProgress(spool),
    },
    refusedIds,
    telemetry: {
      encode: ({ grouped }) => ({ bytes: Buffer.from(grouped.event.event_id), stacks: [] }),
      write: async ({ token, events, outcomes, keptItems }) => {
        const refuse = <Row>(rows: readonly Row[], idOf: (row: Row) => string | null) =>
          new Map(rows.flatMap((row, index) => (refusedIds.has(idOf(row) ?? '') ? [[index, 'refused'] as const] : [])))
        const refused = {
          events: refuse(events, ({ row }) => Buffer.from(row.bytes).toString()),
          keptItems: refuse(keptItems, ({ eventId }) => eventId),
        }
        inTransaction(telemetry, () => {
          const { changes } = telemetry.prepare('INSERT OR IGNORE INTO tokens VALUES (?)').run(token)
          if (changes === 0) return
          const event = telemetry.prepare('INSERT INTO events VALUES (?)')
          const isTaken = (of: ReadonlyMap<number, string>) => (_row: unknown, index: number) => !of.has(index)
          for (const { row } of events.filter(isTaken(refused.events))) event.run(Buffer.from(row.bytes).toString())
          const kept = telemetry.prepare('INSERT INTO kept VALUES (?, ?, ?, ?, ?)')
          for (const item of keptItems.filter(isTaken(refused.keptItems))) {
            kept.run(item.id, item.itemType, item.eventId, item.payload, item.blobKey)
          }
          const outcome = telemetry.prepare('INSERT INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?)')
          for (const row of outcomes(refused)) {
            outcome.run(row.outcome, row.reason, row.itemType, row.category, row.sdk, row.quantity, row.bytes)
          }
        })
        return refused
      },
    },
    blobs: {
      put: async (blobs) =>
        blobs.map(({ organizationId, bytes }) => {
          const key = `${organizationId}/${createHash('sha256').update(bytes).digest('hex')}`
          blobsByKey.set(key, Uint8Array.from(bytes))
          return key
        }),
      get: async (key) => blobsByKey.get(key) ?? null,
      remove: async (keys) => {
        for (const key of keys) blobsByKey.delete(key)
      },
    },
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
    batches: () => (telemetry.prepare('SELECT count(*) AS n FROM tokens').get() as { n: number }).n,
    close: () => {
      ledger.close()
      telemetry.close()
    },
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PGlite, types } from '@electric-sql/pglite'
import { PGliteDialect, sql } from 'kysely'
import { expect } from 'vitest'
import { CAPABILITIES } from '../../capabilities.ts'
import type { Clock } from '../../lib/clock.ts'
import { createFindings } from '../../lib/findings.ts'
import type { Findings } from '../../lib/findings.ts'
import { createLogger } from '../../lib/logger.ts'
import type { Logger } from '../../lib/logger.ts'
import { StoreFault } from '../../lib/store-fault.ts'
import { openLedgerOn } from '../ledger/ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { BASE_TIME } from '../../issues/test/sample-events.ts'
import { ledgerMigrations, openEmptyLedger, openLedger, openTelemetry } from '../../../test/stores/open.ts'

/**
 * Every engine that the stores promise to run on. The embedded ones always; servers when a URL is given:
 * `FIRSTHAND_TEST_POSTGRES_URL`, `FIRSTHAND_TEST_CLICKHOUSE_URL` (a database that may be emptied).
 */

export interface TestClock extends Clock {
  set(now: number): void
}

export const testClock = (start: number = BASE_TIME): TestClock => {
  let now = start
  return {
    now: () => now,
    set: (value) => {
      now = value
    },
  }
}

export const silentLogger: Logger = createLogger('error', () => {}, Date.now)

/** For stores whose findings nobody reads. */
export const unreadFindings = (): Findings => createFindings({ now: Date.now })

/** Keeps what was logged. */
export const recordingLogger = (): { logger: Logger; lines: string[] } => {
  const lines: string[] = []
  return { logger: createLogger('debug', (line) => lines.push(line), Date.now), lines }
}

export const temporaryFolder = (): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'fh-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export interface OpenedLedger {
  readonly ledger: Ledger
  readonly clock: TestClock
  close(): Promise<void>
}

export interface LedgerEngine {
  readonly name: string
  /** A ledger without rows. */
  open(): Promise<OpenedLedger>
}

const sqlite = (name: string, inThreads: boolean): LedgerEngine => ({
  name,
  open: async () => {
    const folder = temporaryFolder()
    const clock = testClock()
    const path = join(folder.path, 'ledger.sqlite')
    const ledger = await openEmptyLedger(path, { logger: silentLogger, clock, inThreads })
    return {
      ledger,
      clock,
      close: async () => {
        await ledger.close()
        folder.remove()
      },
    }
  },
})

/** It takes seconds to start: one for all files of a worker, emptied for each ledger. Its migrations would take half a second. */
let startedPGlite: Promise<PGlite> | null = null

const TABLES = `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'`

const COUNT_ANEW = `SELECT setval(quote_ident(sequencename)::regclass, start_value, false)
  FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`

/**
 * Only what a test left: to truncate the tables with all that refer to them takes longer than most tests do. Rows go in any
 * order, as those that refer to them go as well.
 */
const emptyPGlite = async (database: PGlite): Promise<void> => {
  const { rows: tables } = await database.query<{ name: string }>(TABLES)
  if (tables.length === 0) return
  const withRows = tables.map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM ${name})`)
  const { rows: used } = await database.query<{ name: string }>(withRows.join(' UNION ALL '))
  await database.exec(
    [
      'SET session_replication_role = replica',
      ...used.map(({ name }) => `DELETE FROM ${name}`),
      'SET session_replication_role = DEFAULT',
      COUNT_ANEW,
    ].join('; '),
  )
}

const pglite: LedgerEngine = {
  name: 'PGlite',
  open: async () => {
    const clock = testClock()
    startedPGlite ??= PGlite.create({ parsers: { [types.INT8]: Number } })
    const database = await startedPGlite
    await emptyPGlite(database)
    const ledger = await openLedgerOn(
      {
        dialect: 'postgres',
        kysely: new PGliteDialect({ pglite: database }),
        name: 'The ledger in PGlite',
        description: 'PGlite',
      },
      { logger: silentLogger, clock, migrations: ledgerMigrations },
    )
    return { ledger, clock, close: () => Promise.resolve() }
  },
}

const postgres = (url: string): LedgerEngine => ({
  name: 'PostgreSQL',
  open: async () => {
    const clock = testClock()
    const before = await openLedger({ postgresUrl: url }, { logger: silentLogger, clock })
    await sql`DROP SCHEMA public CASCADE`.execute(before.db)
    await sql`CREATE SCHEMA public`.execute(before.db)
    await before.close()
    const ledger = await openLedger({ postgresUrl: url }, { logger: silentLogger, clock })
    return { ledger, clock, close: () => ledger.close() }
  },
})

const postgresUrl = process.env['FIRSTHAND_TEST_POSTGRES_URL']

export const LEDGER_ENGINES: readonly LedgerEngine[] = [
  sqlite('SQLite', false),
  pglite,
  ...(postgresUrl === undefined ? [] : [postgres(postgresUrl)]),
]

/** The same, and the way in which the server's main thread has its ledger. */
export const LEDGER_WAYS: readonly LedgerEngine[] = [...LEDGER_ENGINES, sqlite('SQLite in threads', true)]

export interface OpenedTelemetry {
  readonly telemetry: Telemetry
  close(): Promise<void>
}

export interface TelemetryEngine {
  readonly name: string
  /** Telemetry without rows. */
  open(): Promise<OpenedTelemetry>
}

/** An engine that ends fails the run. */
const failingLogger: Logger = createLogger(
  'error',
  (line) => {
    throw new Error(line)
  },
  Date.now,
)

/** It takes seconds to start: one for all files of a worker, emptied for each telemetry. It ends with its worker. */
let startedEngine: Promise<Telemetry> | null = null
/** The file that has it; one that failed on the way may not have given it back. */
let takenBy: string | undefined

const startForWorker = (): Promise<Telemetry> =>
  openTelemetry({ dataDir: temporaryFolder().path }, { logger: failingLogger, findings: unreadFindings() })

const DATA_TABLES = `SELECT name FROM system.tables
  WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != 'schema_migrations'`

/** How long one that gives no sign of life is waited for: the machine may stand still, which no file is about. Milliseconds. */
const SILENT_MS = 60_000
const LOOK_MS = 100

/** Also one that the file before left busy: a read is refused until it answers again. */
const emptied = async (telemetry: Telemetry): Promise<void> => {
  const until = performance.now() + SILENT_MS
  for (;;) {
    try {
      const answer = await telemetry.client.query({ query: DATA_TABLES, format: 'JSONEachRow' })
      const tables = await answer.json<{ name: string }>()
      for (const { name } of tables) await telemetry.client.command({ query: `TRUNCATE TABLE ${name}` })
      return
    } catch (error) {
      if (!(error instanceof StoreFault) || performance.now() > until) throw error
      await delay(LOOK_MS)
    }
  }
}

export const chdb: TelemetryEngine = {
  name: 'chDB',
  open: async () => {
    const { testPath } = expect.getState()
    if (takenBy === testPath) throw new Error('A file wants two telemetries at the same time.')
    takenBy = testPath
    startedEngine ??= startForWorker()
    const telemetry = await startedEngine
    try {
      await emptied(telemetry)
    } catch (error) {
      takenBy = undefined
      throw error
    }
    return {
      telemetry,
      close: async () => {
        takenBy = undefined
      },
    }
  },
}

const clickhouse = (url: string): TelemetryEngine => ({
  name: 'ClickHouse',
  open: async () => {
    const telemetry = await openTelemetry({ url }, { logger: silentLogger, findings: unreadFindings() })
    for (const { table } of CAPABILITIES.flatMap(({ agingTables = [] }) => agingTables)) {
      await telemetry.client.command({ query: `TRUNCATE TABLE ${table}` })
    }
    return { telemetry, close: () => telemetry.close() }
  },
})

const clickhouseUrl = process.env['FIRSTHAND_TEST_CLICKHOUSE_URL']

export const TELEMETRY_ENGINES: readonly TelemetryEngine[] = [
  chdb,
  ...(clickhouseUrl === undefined ? [] : [clickhouse(clickhouseUrl)]),
]

/** An organisation (1) with two projects (1, 2). */
export const seedOrganization = async (ledger: Ledger, retentionDays = 90): Promise<void> => {
  await ledger.db
    .insertInto('organizations')
    .values({ slug: 'acme', name: 'Acme', retention_days: retentionDays, settings: '{}', created_at: BASE_TIME })
    .execute()
  for (const slug of ['shop', 'api']) {
    await ledger.db
      .insertInto('projects')
      .values({
        organization_id: 1,
        slug,
        name: slug,
        platform: 'javascript',
        settings: '{}',
        last_issue_number: 0,
        created_at: BASE_TIME,
      })
      .execute()
  }
}

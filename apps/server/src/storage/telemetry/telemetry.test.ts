import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordingLogger, silentLogger, temporaryFolder, unreadFindings } from '../conformance/engines.ts'
import { StorageCorruptError, StorageVersionError } from '../errors.ts'
import { migrateTelemetry } from './migrate.ts'
import type { Telemetry } from './telemetry.ts'
import { openTelemetry } from '../../../test/stores/open.ts'

const DEADLINE_MS = 100_000

/** Waits until `condition` holds; fails after a bounded time. */
const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
  const deadline = performance.now() + DEADLINE_MS
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('It did not happen in time')
    await delay(50)
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // There is no such process.
    return false
  }
}

const insertOutcome = async ({ client }: Telemetry, token: string): Promise<void> => {
  await client.insert({
    table: 'outcomes',
    values: [{ organization_id: 1, timestamp: 1_790_000_000, quantity: 1 }],
    format: 'JSONEachRow',
    clickhouse_settings: { insert_deduplication_token: token },
  })
}

const countOutcomes = async ({ client }: Telemetry): Promise<number> => {
  const result = await client.query({ query: 'SELECT sum(quantity) AS n FROM outcomes', format: 'JSONEachRow' })
  const [row] = await result.json<{ n: number }>()
  return row?.n ?? -1
}

describe('embedded telemetry', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.remove())

  const open = (logger = silentLogger): Promise<Telemetry> =>
    openTelemetry({ dataDir: folder.path }, { logger, findings: unreadFindings() })

  it('keeps rows and tokens over a restart and over kill -9 of the engine', async () => {
    const { logger, lines } = recordingLogger()
    const first = await open()
    await insertOutcome(first, 'a')
    await first.close()
    expect(first.state().kind).toBe('closed')

    const second = await open(logger)
    await insertOutcome(second, 'a')
    await insertOutcome(second, 'b')
    const pid = second.enginePid()
    process.kill(pid ?? 0, 'SIGKILL')
    await until(() => second.state().restarts === 1 && second.state().kind === 'ready')
    expect(second.enginePid()).not.toBe(pid)
    await insertOutcome(second, 'a')
    await insertOutcome(second, 'b')
    expect(await countOutcomes(second)).toBe(2)
    expect(lines.join('')).toContain('ended unexpectedly')
    await second.close()
  }, 60_000)

  it('reads on two threads while there is memory for both', async () => {
    const telemetry = await open()
    const pipelineOf = async (settings: string): Promise<string> => {
      const result = await telemetry.client.query({
        query: `EXPLAIN PIPELINE SELECT number % 2 AS half, count() FROM numbers_mt(10000000) GROUP BY half SETTINGS ${settings}`,
        format: 'TabSeparated',
      })
      return result.text()
    }
    expect(await pipelineOf('max_block_size = 8192')).toContain('AggregatingTransform × 2')
    expect(await pipelineOf('max_threads = 1')).not.toContain('AggregatingTransform × 2')
    await telemetry.close()
  }, 60_000)

  it('refuses a folder that a newer program wrote', async () => {
    const telemetry = await open()
    await telemetry.client.insert({
      table: 'schema_migrations',
      values: [{ number: 99, name: 'future', checksum: 'x' }],
      format: 'JSONEachRow',
    })
    await telemetry.close()
    const failed = open()
    await expect(failed).rejects.toThrow(StorageVersionError)
    await expect(failed).rejects.toThrow(/version 99.*versions up to \d+/)
  }, 60_000)

  it('runs an interrupted migration again from its start', async () => {
    const telemetry = await open()
    const migrations = [
      { number: 1, name: 'initial', statements: ['SELECT 1'] },
      {
        number: 2,
        name: 'second',
        statements: ['CREATE TABLE IF NOT EXISTS a (x Int8) ENGINE = Memory', 'SELECT nonsense'],
      },
    ]
    await telemetry.client.command({ query: 'TRUNCATE TABLE schema_migrations' })
    const options = { name: 'The telemetry', logger: silentLogger }
    await expect(migrateTelemetry(telemetry.client, { ...options, migrations })).rejects.toThrow(/nonsense/)
    const repaired = migrations.map((migration) =>
      migration.number === 2
        ? { ...migration, statements: [migration.statements[0] ?? '', 'CREATE TABLE b (x Int8) ENGINE = Memory'] }
        : migration,
    )
    await migrateTelemetry(telemetry.client, { ...options, migrations: repaired })
    const result = await telemetry.client.query({
      query: 'SELECT number FROM schema_migrations ORDER BY number',
      format: 'JSONEachRow',
    })
    expect(await result.json()).toEqual([{ number: 1 }, { number: 2 }])
    await telemetry.close()
  }, 60_000)

  it('names a folder that the engine cannot read', async () => {
    const telemetry = await open()
    await telemetry.close()
    const metadata = join(folder.path, 'telemetry', 'metadata', 'default')
    const target = existsSync(metadata) ? metadata : join(folder.path, 'telemetry', 'metadata')
    for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) writeFileSync(join(entry.parentPath, entry.name), 'rubbish')
    }
    const failed = open()
    await expect(failed).rejects.toThrow(StorageCorruptError)
    await expect(failed).rejects.toThrow(/telemetry.*backup/s)
  }, 60_000)

  it('names a folder that is a file', async () => {
    writeFileSync(join(folder.path, 'telemetry'), '')
    await expect(open()).rejects.toThrow(/telemetry/)
  })

  it('answers errors while the engine is away, and is whole afterwards', async () => {
    const telemetry = await open()
    process.kill(telemetry.enginePid() ?? 0, 'SIGKILL')
    await until(() => telemetry.state().kind === 'restarting')
    await expect(countOutcomes(telemetry)).rejects.toThrow(/telemetry does not answer at this moment.*Try again/)
    await until(() => telemetry.state().kind === 'ready')
    expect(await countOutcomes(telemetry)).toBe(0)
    await telemetry.close()
  }, 60_000)

  it('ends with its parent, however that ends, and lets the next one in', async () => {
    mkdirSync(join(folder.path, 'telemetry'), { recursive: true })
    const script = `
      import { openTelemetry } from ${JSON.stringify(fileURLToPath(new URL('../../../test/stores/open.ts', import.meta.url)))}
      const quiet = () => {}
      const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet, with: () => logger }
      const telemetry = await openTelemetry({ dataDir: process.argv[1] }, { logger, findings: { tell: quiet, clear: quiet } })
      process.stdout.write(String(telemetry.enginePid()) + '\\n')
      setInterval(quiet, 1000)`
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script, folder.path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))),
    )
    expect(isRunning(pid)).toBe(true)
    parent.kill('SIGKILL')
    // The old engine may still hold the folder: opening waits for it.
    const telemetry = await open()
    await until(() => !isRunning(pid))
    expect(await countOutcomes(telemetry)).toBe(0)
    await telemetry.close()
  }, 90_000)
})

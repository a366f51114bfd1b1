import { readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFindings } from '../../lib/findings.ts'
import { StoreFault } from '../../lib/store-fault.ts'
import { silentLogger, temporaryFolder } from '../conformance/engines.ts'
import { createDamagedParts } from './damaged-parts.ts'
import type { Telemetry } from './telemetry.ts'
import { openTelemetry } from '../../../test/stores/open.ts'

const DEADLINE_MS = 100_000
const WATCHDOG = { intervalMs: 100, timeoutMs: 1000 }

const until = async (condition: () => boolean): Promise<void> => {
  const deadline = performance.now() + DEADLINE_MS
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('It did not happen in time')
    await delay(20)
  }
}

describe('telemetry that is damaged, or hangs', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let findings = createFindings({ now: Date.now })
  beforeEach(() => {
    folder = temporaryFolder()
    findings = createFindings({ now: Date.now })
  })
  afterEach(() => folder.remove())

  const open = () => openTelemetry({ dataDir: folder.path }, { logger: silentLogger, findings, watchdog: WATCHDOG })

  const rows = async <Row>({ client }: Telemetry, query: string): Promise<Row[]> =>
    (await client.query({ query, format: 'JSONEachRow' })).json<Row>()

  /** Two parts of 200 events each, and the folder of the first. */
  const fill = async (telemetry: Telemetry): Promise<string> => {
    for (let part = 0; part < 2; part += 1) {
      await telemetry.client.command({
        query: `INSERT INTO events (project_id, issue_id, event_id, timestamp, payload)
          SELECT 1, ${part}, generateUUIDv4(), '2026-11-18 10:00:00', randomPrintableASCII(500) FROM numbers(200)`,
      })
    }
    const [first] = await rows<{ path: string }>(
      telemetry,
      `SELECT path FROM system.parts WHERE active AND table = 'events' ORDER BY min_block_number`,
    )
    return first?.path ?? ''
  }
  const halve = (path: string): void => truncateSync(path, Math.floor(statSync(path).size / 2))
  const READ_ALL = 'SELECT count() AS n, sum(length(payload)) AS bytes FROM events'

  it('says which rows are missing when the engine set a damaged part aside, until it is gone', async () => {
    const first = await open()
    const part = await fill(first)
    expect(findings.current()).toEqual([])
    await first.close()
    halve(join(part, 'data.bin'))

    const telemetry = await open()
    expect(await rows(telemetry, READ_ALL)).toEqual([{ n: 200, bytes: 100_000 }])
    const [found] = findings.current()
    expect(found?.id).toBe('telemetry_set_aside')
    expect(found?.message).toContain('1 damaged part of events with about 200 rows between 2026-11-16 and 2026-11-22')
    const [, detached = ''] = / in (\S+detached)\. .*remove the folders there/.exec(found?.message ?? '') ?? []
    const broken = readdirSync(detached).filter((name) => name.startsWith('broken'))
    expect(broken).toHaveLength(1)
    for (const name of broken) rmSync(join(detached, name), { recursive: true })
    await telemetry.checkParts()
    expect(findings.current()).toEqual([])
    await telemetry.close()
  })

  it('refuses a read that meets damage, names the part, and goes on without it when it was moved away', async () => {
    const telemetry = await open()
    const part = await fill(telemetry)
    halve(join(part, 'data.bin'))
    const read = rows(telemetry, READ_ALL)
    await expect(read).rejects.toThrow(StoreFault)
    await expect(read).rejects.toThrow(/damaged on disk.*doctor/)
    await telemetry.checkParts()
    expect(findings.current().map(({ id }) => id)).toEqual(['telemetry_damaged'])
    expect(findings.current()[0]?.message).toContain(part.replace(/\/$/, ''))
    await telemetry.close()

    renameSync(part, join(folder.path, 'moved'))
    findings = createFindings({ now: Date.now })
    const again = await open()
    expect(await rows(again, READ_ALL)).toEqual([{ n: 200, bytes: 100_000 }])
    expect(findings.current()).toEqual([])
    await again.close()
  })

  /** As a full disk leaves them, of which the engine does not tell. */
  const empty = (part: string): void => {
    for (const entry of readdirSync(part, { withFileTypes: true, recursive: true })) {
      if (entry.isFile()) truncateSync(join(entry.parentPath, entry.name), 0)
    }
  }
  const partsOf = (telemetry: Telemetry) =>
    rows<{ path: string }>(telemetry, `SELECT path FROM system.parts WHERE active AND table = 'events'`)
  const restartsOnce = async (telemetry: Telemetry): Promise<void> => {
    await expect(rows(telemetry, READ_ALL)).rejects.toThrow(StoreFault)
    await until(() => telemetry.state().kind === 'ready' && telemetry.state().restarts === 1)
  }

  it('starts the engine again when a merge was cut by a full disk, and nothing is missing: its sources are still there', async () => {
    const telemetry = await open()
    await fill(telemetry)
    await telemetry.client.command({ query: 'OPTIMIZE TABLE events FINAL' })
    const [merged, ...others] = await partsOf(telemetry)
    expect(others).toEqual([])
    empty(merged?.path ?? '')
    await restartsOnce(telemetry)
    expect(await rows(telemetry, READ_ALL)).toEqual([{ n: 400, bytes: 200_000 }])
    await telemetry.checkParts()
    expect(findings.current()).toEqual([])
    expect(await rows(telemetry, 'SELECT name FROM system.detached_parts')).toEqual([])
    await telemetry.close()
  })

  it('says what is missing when an insert that was answered was cut', async () => {
    const telemetry = await open()
    empty(await fill(telemetry))
    await restartsOnce(telemetry)
    expect(await rows(telemetry, READ_ALL)).toEqual([{ n: 200, bytes: 100_000 }])
    await telemetry.checkParts()
    expect(findings.current().map(({ id, message }) => `${id}: ${message}`)).toEqual([
      expect.stringMatching(/^telemetry_set_aside: .*1 damaged part of events between 2026-11-16 and 2026-11-22/),
    ])
    await telemetry.close()
  })

  it('says at the start that a part is damaged which the engine did not look at, because its projection is damaged, too', async () => {
    const first = await open()
    const part = await fill(first)
    await first.close()
    halve(join(part, 'data.bin'))
    halve(join(part, 'by_issue.proj', 'data.bin'))

    const telemetry = await open()
    const told = () => findings.current().map(({ id, message }) => `${id}: ${message}`)
    expect(told()).toEqual([
      expect.stringContaining(
        `telemetry_damaged: Part of the telemetry is damaged on disk (${part.replace(/\/$/, '')}): `,
      ),
    ])
    await expect(rows(telemetry, READ_ALL)).rejects.toThrow(/damaged on disk.*doctor/)
    await telemetry.checkParts()
    expect(told()).toHaveLength(1)
    await telemetry.close()

    renameSync(part, join(folder.path, 'moved'))
    findings = createFindings({ now: Date.now })
    const again = await open()
    expect(await rows(again, READ_ALL)).toEqual([{ n: 200, bytes: 100_000 }])
    expect(told()).toEqual([])
    await again.close()
  })

  it('goes on telling of a projection that a read found damaged, and names the folder of its part', async () => {
    const telemetry = await open()
    const part = await fill(telemetry)
    halve(join(part, 'by_issue.proj', 'data.bin'))
    const counts =
      "SELECT count() AS n, sum(user_hash) AS users FROM mergeTreeProjection(currentDatabase(), 'events', 'by_issue')"
    await expect(rows(telemetry, counts)).rejects.toThrow(StoreFault)
    for (let check = 0; check < 3; check += 1) await telemetry.checkParts()
    expect(findings.current().map(({ message }) => message)).toEqual([
      expect.stringContaining(`damaged on disk (${part.replace(/\/$/, '')}): `),
    ])
    await telemetry.close()
  })

  it('tells of damage that no part is named of until no read meets it any more', async () => {
    const { client, close } = await open()
    const parts = createDamagedParts({ client, findings })
    const told = () => findings.current().map(({ id }) => id)
    parts.met('Code: 246. DB::Exception: Corrupted data')
    await parts.check()
    parts.met('Code: 246. DB::Exception: Corrupted data')
    await parts.check()
    expect(told()).toEqual(['telemetry_damaged'])
    await parts.check()
    expect(told()).toEqual([])
    await close()
  })

  it('ends the reads of an engine that was stopped in its tracks, and starts it again with what it had', async () => {
    const telemetry = await open()
    await fill(telemetry)
    const pid = telemetry.enginePid() ?? 0
    process.kill(pid, 'SIGSTOP')
    await expect(rows(telemetry, READ_ALL)).rejects.toThrow(/telemetry does not answer at this moment/)
    // Who comes later does not even wait.
    expect(telemetry.state().kind).not.toBe('ready')
    await expect(rows(telemetry, READ_ALL)).rejects.toThrow(StoreFault)
    await until(() => telemetry.state().kind === 'ready')
    expect(telemetry.state().restarts).toBe(1)
    expect(telemetry.enginePid()).not.toBe(pid)
    expect(await rows(telemetry, READ_ALL)).toEqual([{ n: 400, bytes: 200_000 }])
    await telemetry.close()
  })

  it('leaves an engine alone whose sessions are all busy', async () => {
    const telemetry = await open()
    const pid = telemetry.enginePid()
    // More statements than run at once, each longer than the watchdog's patience.
    const statements = Array.from({ length: 5 }, () =>
      rows(
        telemetry,
        'SELECT count() AS n FROM numbers(1000) WHERE sleepEachRow(0.0035) = 0 SETTINGS max_block_size = 100',
      ),
    )
    expect((await Promise.all(statements)).flat()).toEqual(Array.from({ length: 5 }, () => ({ n: 1000 })))
    expect(telemetry.enginePid()).toBe(pid)
    expect(telemetry.state()).toEqual({ kind: 'ready', restarts: 0 })
    await telemetry.close()
  })
})

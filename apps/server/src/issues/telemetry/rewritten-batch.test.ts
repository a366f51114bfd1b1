import { readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../events.store.ts'
import type { TelemetryBatch } from '../../../test/stores/batch-stores.ts'
import type { KeptItem } from '../../kept-items/kept-item.ts'
import { createFindings } from '../../lib/findings.ts'
import { recordingLogger, silentLogger, temporaryFolder } from '../../storage/conformance/engines.ts'
import { BASE_TIME, sampleEvent } from '../test/sample-events.ts'
import { createTelemetryStore } from '../../../test/stores/batch-stores.ts'
import type { Telemetry } from '../../storage/telemetry/telemetry.ts'
import { openTelemetry } from '../../../test/stores/open.ts'

const WEEK_MS = 7 * 24 * 3_600_000

describe('a batch that is written again', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let telemetry: Telemetry
  const open = async (): Promise<void> => {
    const findings = createFindings({ now: Date.now })
    telemetry = await openTelemetry({ dataDir: folder.path }, { logger: silentLogger, findings })
  }
  beforeEach(async () => {
    folder = temporaryFolder()
    await open()
  })
  afterEach(async () => {
    await telemetry.close()
    folder.remove()
  })

  const rows = async <Row>(query: string): Promise<Row[]> =>
    (await telemetry.client.query({ query, format: 'JSONEachRow' })).json<Row>()

  const counts = async (): Promise<unknown> =>
    (
      await rows(`SELECT
        (SELECT [count(), uniqExact(event_id)] FROM events) AS events,
        (SELECT [count(), uniqExact(id)] FROM kept_items) AS kept,
        (SELECT uniqExact(id) FROM stacks) AS stacks`)
    )[0]

  /** As after an engine that died between noting the tokens and giving the parts their names. */
  const loseParts = async (where: string): Promise<void> => {
    const parts = await rows<{ path: string }>(`SELECT path FROM system.parts WHERE active AND (${where})`)
    expect(parts).not.toEqual([])
    await telemetry.close()
    for (const { path } of parts) rmSync(path, { recursive: true })
    await open()
  }

  const batchOf = (size = 450): TelemetryBatch => {
    const { encode } = createTelemetryStore({ client: telemetry.client })
    const event = (seed: number): StoredEvent => {
      // Two weeks, and so two parts of one insert.
      const at = BASE_TIME + (seed % 2) * WEEK_MS
      const grouped = sampleEvent({ seed: String(seed), kind: 'often', at, recurring: true })
      const row = encode({ receivedAt: at, grouped, traceId: null, spanId: null, replayId: null })
      return { organizationId: 1, projectId: 1 + (seed % 3), issueId: 1, row }
    }
    const item = (seed: number): KeptItem => ({
      organizationId: 1,
      projectId: 1 + (seed % 3),
      id: seed.toString(16).padStart(32, '0'),
      itemType: 'log',
      eventId: null,
      traceId: null,
      receivedAt: BASE_TIME + seed,
      envelopeHeader: '{}',
      itemHeader: '{}',
      filename: null,
      contentType: null,
      bytes: 2,
      payload: '{}',
      blobKey: null,
    })
    const seeds = Array.from({ length: size }, (_, seed) => seed)
    return { token: 'spool:1', events: seeds.map(event), keptItems: seeds.map(item), outcomes: () => [] }
  }

  const WHOLE = { events: [450, 450], kept: [450, 450], stacks: 1 }

  it('is there once, even when the engine knows it and has lost its rows', async () => {
    const batch = batchOf()
    const { logger, lines } = recordingLogger()
    const write = (again: boolean) => createTelemetryStore({ client: telemetry.client, logger }).write(batch, again)
    await write(false)
    await write(true)
    expect(await counts()).toEqual(WHOLE)
    expect(lines).toEqual([])

    await loseParts(`table IN ('events', 'kept_items', 'stacks')`)
    // Its tokens are known, so the insert alone does nothing.
    await write(false)
    expect(await counts()).toEqual({ events: [0, 0], kept: [0, 0], stacks: 0 })
    await write(true)
    expect(await counts()).toEqual(WHOLE)
    expect(lines.join('')).toContain('spool:1:2')
    await write(true)
    expect(await counts()).toEqual(WHOLE)

    // The same again, while it was repeated: only one part, and the second token is known too.
    await loseParts(`table = 'events' AND partition_id = '20261102'`)
    await write(true)
    expect(await counts()).toEqual(WHOLE)
    expect(lines.join('')).toContain('spool:1:3')
    expect(lines).toHaveLength(4)
  }, 120_000)

  it('is there once when the engine has its rows and has forgotten its tokens, as after a full disk', async () => {
    const batch = batchOf(8)
    const write = (again: boolean) => createTelemetryStore({ client: telemetry.client }).write(batch, again)
    await write(false)
    const tables = await rows<{ paths: string[] }>(
      `SELECT data_paths AS paths FROM system.tables WHERE database = currentDatabase() AND name IN ('events', 'kept_items')`,
    )
    await telemetry.close()
    for (const path of tables.flatMap(({ paths }) => paths)) {
      const folder = join(path, 'deduplication_logs')
      for (const name of readdirSync(folder)) truncateSync(join(folder, name), 0)
    }
    await open()
    await write(true)
    expect(await counts()).toEqual({ events: [8, 8], kept: [8, 8], stacks: 1 })
    // The premise: these tokens are really forgotten.
    await write(false)
    expect(await counts()).toEqual({ events: [16, 8], kept: [16, 8], stacks: 1 })
  }, 120_000)

  it('does not look for rows that telemetry refuses', async () => {
    const batch = batchOf(8)
    const [first, ...rest] = batch.events
    if (first === undefined) throw new Error('no event')
    const broken = { ...first, row: { ...first.row, bytes: Buffer.from('no row\n') } }
    const { logger, lines } = recordingLogger()
    const store = createTelemetryStore({ client: telemetry.client, logger })
    for (const again of [false, true, true]) {
      const refused = await store.write({ ...batch, events: [broken, ...rest] }, again)
      expect([...refused.events.keys()]).toEqual([0])
    }
    expect(await counts()).toEqual({ events: [7, 7], kept: [8, 8], stacks: 1 })
    expect(lines).toEqual([])
  }, 120_000)
})

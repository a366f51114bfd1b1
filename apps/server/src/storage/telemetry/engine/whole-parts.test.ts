import { statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTelemetry } from '../../../../test/stores/open.ts'
import { createFindings } from '../../../lib/findings.ts'
import { silentLogger, temporaryFolder } from '../../conformance/engines.ts'
import { LIMITS } from '../../limits.ts'
import type { Telemetry } from '../telemetry.ts'
import type { CutPart } from './engine-messages.ts'
import { createWholeParts } from './whole-parts.ts'

const PLENTY = LIMITS.ENGINE_LOW_SPACE_BYTES
const LOW = LIMITS.ENGINE_LOW_SPACE_BYTES - 1

describe('whether what the engine wrote is whole', () => {
  const folder = temporaryFolder()
  let telemetry: Telemetry
  let free = PLENTY
  let clock = 0
  let cut: CutPart[] = []
  beforeAll(async () => {
    telemetry = await openTelemetry(
      { dataDir: folder.path },
      { logger: silentLogger, findings: createFindings({ now: Date.now }) },
    )
  })
  afterAll(async () => {
    await telemetry.close()
    folder.remove()
  })
  beforeEach(async () => {
    await telemetry.client.command({ query: 'TRUNCATE TABLE events' })
    free = PLENTY
    cut = []
  })

  const ask = async (query: string): Promise<Record<string, unknown>[]> =>
    (await telemetry.client.query({ query, format: 'JSONEachRow' })).json()
  /** What the engine's process does then is to end; here a look fails. */
  const watch = async () => {
    const parts = createWholeParts({
      ask,
      freeBytes: () => Promise.resolve(free),
      cut: (found) => {
        cut = [...found]
        return Promise.reject(new Error('cut'))
      },
      now: () => clock,
    })
    await parts.begin()
    return parts
  }
  const insert = async (project = 1): Promise<void> => {
    await telemetry.client.command({
      query: `INSERT INTO events (project_id, event_id, timestamp, tags, search_text, payload)
        SELECT ${project}, generateUUIDv4(), '2026-11-18 10:00:00', map('a', 'b'), 'text', randomPrintableASCII(500) FROM numbers(200)`,
    })
  }
  const newest = async (): Promise<string> => {
    const [part] = await ask(
      `SELECT path FROM system.parts WHERE active AND table = 'events' ORDER BY max_block_number DESC LIMIT 1`,
    )
    return String(part?.['path'])
  }
  /** As little as can be missing. */
  const shorten = async (file: string): Promise<void> => {
    const path = join(await newest(), file)
    truncateSync(path, statSync(path).size - 1)
  }

  it('knows the size of parts to the byte: of inserts, merges and changes, with their indexes and projections', async () => {
    free = LOW
    const parts = await watch()
    const change = async (query: string): Promise<void> => {
      await telemetry.client.command({ query, clickhouse_settings: { mutations_sync: '2' } })
      await parts.look()
    }
    await insert()
    await insert(2)
    await parts.look()
    await change('OPTIMIZE TABLE events FINAL')
    await insert(3)
    await change('ALTER TABLE events DELETE WHERE project_id = 2')
    await change(`INSERT INTO kept_items (project_id, id, received, payload)
      SELECT number, leftPad(toString(number), 32, '0'), now(), 'text' FROM numbers(10)`)
    await change('DELETE FROM kept_items WHERE project_id < 5')
    await change(`ALTER TABLE events DELETE IN PARTITION ID '20261116' WHERE project_id = 3`)
    await change('ALTER TABLE events ADD COLUMN later String DEFAULT message, ADD INDEX by_later later TYPE minmax')
    await insert(4)
    await change('ALTER TABLE events MATERIALIZE COLUMN later')
    await change('ALTER TABLE events MATERIALIZE INDEX by_later')
    await change('ALTER TABLE events CLEAR COLUMN later')
    await change('OPTIMIZE TABLE events FINAL')
    expect(await ask('SELECT project_id AS project, count() AS n FROM events GROUP BY 1 ORDER BY 1')).toEqual([
      { project: 1, n: 200 },
      { project: 4, n: 200 },
    ])
    await change('ALTER TABLE events DROP COLUMN later, DROP INDEX by_later')
    await change('ALTER TABLE events DELETE WHERE 1')
    await insert()
    await change(`ALTER TABLE events DROP PARTITION ID '20261116'`)
    await insert()
    await change('TRUNCATE TABLE events')
    expect(cut).toEqual([])
  })

  it.each(['data.bin', 'skp_idx_by_time.cmrk4', join('by_issue.proj', 'data.bin')])(
    'finds an insert of which a byte of %s is missing before it is answered, when space was low a minute ago',
    async (file) => {
      const parts = await watch()
      free = LOW
      await parts.beforeInsert()
      free = PLENTY
      clock += LIMITS.ENGINE_LOW_SPACE_REMEMBERED_MS - 1
      await insert()
      await shorten(file)
      await expect(parts.afterInsert()).rejects.toThrow('cut')
      expect(cut).toMatchObject([{ table: 'events', partition: '20261116', rows: 200, unanswered: true }])
    },
  )

  it('does not keep inserts waiting while there is room, and leaves files alone that somebody changed', async () => {
    const parts = await watch()
    await parts.beforeInsert()
    await insert()
    await shorten('data.bin')
    await parts.afterInsert()
    await parts.look()
    expect(cut).toEqual([])
  })

  it('finds at the next look what cannot have become so in another way, and that its insert was answered', async () => {
    const parts = await watch()
    await insert()
    truncateSync(join(await newest(), 'checksums.txt'), 0)
    await expect(parts.look()).rejects.toThrow('cut')
    expect(cut).toMatchObject([{ table: 'events', unanswered: false }])
  })

  it('takes what is there at the start as it is, so that it never starts again and again', async () => {
    free = LOW
    await insert()
    await shorten('data.bin')
    const parts = await watch()
    await parts.look()
    expect(cut).toEqual([])
  })
})

import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StoredEvent } from './events.store.ts'
import { createFindings, finding } from '../lib/findings.ts'
import { compareStores, sampleLedger } from './compare-stores.ts'
import {
  seedOrganization,
  silentLogger,
  temporaryFolder,
  testClock,
  unreadFindings,
} from '../storage/conformance/engines.ts'
import { BASE_TIME, ledgerBatch, ledgerEvent, sampleEvent } from './test/sample-events.ts'
import { createIssueStore } from '../../test/stores/batch-stores.ts'
import type { Ledger } from '../storage/ledger/ledger.ts'
import { createTelemetryStore } from '../../test/stores/batch-stores.ts'
import type { Telemetry } from '../storage/telemetry/telemetry.ts'
import { createRetention, openEmptyLedger, openTelemetry } from '../../test/stores/open.ts'

const DAY_MS = 86_400_000
const RETENTION_DAYS = 30

describe('ledger and telemetry at a start', () => {
  const folder = temporaryFolder()
  const clock = testClock(BASE_TIME)
  let ledger: Ledger
  let telemetry: Telemetry
  let batches = 0
  let events = 0

  beforeAll(async () => {
    ledger = await openEmptyLedger(join(folder.path, 'ledger.sqlite'), { logger: silentLogger, clock })
    telemetry = await openTelemetry({ dataDir: folder.path }, { logger: silentLogger, findings: unreadFindings() })
    await seedOrganization(ledger, RETENTION_DAYS)
  })
  afterAll(async () => {
    await telemetry.close()
    await ledger.close()
    folder.remove()
  })
  beforeEach(async () => {
    clock.set(BASE_TIME)
    for (const table of ['events', 'outcomes']) await telemetry.client.command({ query: `TRUNCATE TABLE ${table}` })
    await keepFor(RETENTION_DAYS)
    await ledger.db.updateTable('organizations').set({ removed_before: null }).execute()
    for (const table of ['issue_hashes', 'event_index', 'issues'] as const) await ledger.db.deleteFrom(table).execute()
  })

  const keepFor = (days: number): Promise<unknown> =>
    ledger.db.updateTable('organizations').set({ retention_days: days }).execute()

  const expire = async (): Promise<void> => {
    const nothing = async () => null
    const blobs = {
      put: async () => [],
      putFile: nothing,
      get: nothing,
      open: nothing,
      sizes: async () => new Map<string, number>(),
      remove: async () => undefined,
    }
    const retention = createRetention({ ledger, client: telemetry.client, blobs, clock, logger: silentLogger })
    await retention.run()
    await retention.close()
  }

  const countEvents = async (): Promise<unknown> => {
    const rows = await telemetry.client.query({ query: 'SELECT count() AS n FROM events', format: 'JSONEachRow' })
    return rows.json()
  }

  /** So many events of an issue, the last of them at `at`, a second apart. */
  const store = async (kind: string, count: number, { at = BASE_TIME, settle = true, write = true } = {}) => {
    batches += 1
    const samples = Array.from({ length: count }, (_, index) => ({
      seed: `${kind}:${(events += 1)}`,
      kind,
      at: at - index * 1000,
    }))
    const own = samples.map((sample) => ledgerEvent(sample))
    const issues = createIssueStore({ ledger, clock })
    const { events: verdicts } = await issues.apply(ledgerBatch(batches, own))
    const telemetryStore = createTelemetryStore({ client: telemetry.client })
    const rows = verdicts.flatMap((verdict, index): StoredEvent[] => {
      const [event, sample] = [own[index], samples[index]]
      if (verdict.kind !== 'stored' || event === undefined || sample === undefined) return []
      const { organizationId, projectId, receivedAt } = event
      const grouped = sampleEvent(sample)
      const row = telemetryStore.encode({ receivedAt, grouped, traceId: null, spanId: null, replayId: null })
      return [{ organizationId, projectId, issueId: verdict.issueId, row }]
    })
    if (write) {
      await telemetryStore.write({ token: `main:${batches}`, events: rows, outcomes: () => [], keptItems: [] })
    }
    if (settle) await issues.settle('main', batches)
    return rows[0]?.issueId ?? 0
  }

  const compare = async (
    between: () => Promise<unknown> = async () => undefined,
    findings = createFindings({ now: clock.now }),
  ): Promise<string[]> => {
    const sample = await sampleLedger(ledger, clock)
    const { signal } = new AbortController()
    await Promise.all([compareStores({ ledger, client: telemetry.client, sample, findings, signal }), between()])
    return findings.current().map(({ id, message }) => `${id}: ${message}`)
  }

  const lose = (where: string): Promise<unknown> =>
    telemetry.client.command({
      query: `ALTER TABLE events DELETE WHERE ${where}`,
      clickhouse_settings: { mutations_sync: '1' },
    })

  it('find events that were counted and are not there', async () => {
    await store('cart', 80)
    await store('login', 20)
    expect(await compare()).toEqual([])
    await lose('cityHash64(event_id) % 5 = 0')
    const [found = ''] = await compare()
    const [, missing = '0'] = /Of 100 events .*?, (\d+) \(\d+%\) cannot be read/.exec(found) ?? []
    expect(found).toMatch(/^stores_differ: .*copy of a running server/)
    expect(Number(missing)).toBeGreaterThan(5)
    expect(Number(missing)).toBeLessThan(40)
  })

  it('are no copy when the engine set damaged parts aside, which is told already', async () => {
    await store('cart', 80)
    await lose('cityHash64(event_id) % 5 = 0')
    const findings = createFindings({ now: clock.now })
    findings.tell(finding('telemetry_set_aside', 'parts'))
    expect(await compare(undefined, findings)).toEqual(['telemetry_set_aside: parts'])
  })

  it('find events of issues that the ledger does not know', async () => {
    await store('cart', 5)
    const login = await store('login', 7)
    await ledger.db.deleteFrom('event_index').where('issue_id', '=', login).execute()
    await ledger.db.deleteFrom('issues').where('id', '=', login).execute()
    expect(await compare()).toEqual([expect.stringMatching(/^ledger_older: The telemetry has 7 events/)])
  })

  it('wait for the batch that was under way', async () => {
    await store('cart', 50)
    await store('cart', 50, { settle: false, write: false })
    const pending = batches
    const issues = createIssueStore({ ledger, clock })
    // What the digest does first: the same batch once more, and then the next.
    const found = await compare(async () => {
      await telemetry.client.command({
        query: `INSERT INTO events SELECT * REPLACE (generateUUIDv4() AS event_id) FROM events LIMIT 50`,
      })
      await issues.settle('main', pending)
    })
    expect(found).toEqual([])
  })

  it('raise no alarm over what expired, was deleted, came in meanwhile, or was refused', async () => {
    // Its older half is beyond what is kept.
    await store('old', 40, { at: BASE_TIME - (RETENTION_DAYS - 5) * DAY_MS })
    const old = await store('old', 40, { at: BASE_TIME })
    const gone = await store('gone', 30)
    clock.set(BASE_TIME + 10 * DAY_MS)
    await ledger.db.updateTable('issues').set({ deleted_at: BASE_TIME }).where('id', '=', gone).execute()
    await expire()
    expect(await compare(() => store('new', 20, { at: clock.now() }))).toEqual([])
    expect(await countEvents()).toEqual([{ n: 60 }])
    // The newest event of an issue of which a part expired has to be there all the same.
    await lose(`issue_id = ${old}`)
    await store('other', 90, { at: clock.now() })
    expect(await compare()).toEqual([])
    await lose(`cityHash64(event_id) % 3 = 0`)
    expect(await compare()).toHaveLength(1)
    await telemetry.client.command({
      query: `INSERT INTO outcomes (project_id, timestamp, reason, quantity) VALUES (1, now(), 'internal_error', 200)`,
    })
    expect(await compare()).toEqual([])
  })
  it.each([
    ['more', RETENTION_DAYS, 365],
    ['fewer, and then more again', 7, RETENTION_DAYS],
  ])('raise no alarm over what expired when %s days are kept than before', async (_, before, after) => {
    await store('cart', 40, { at: BASE_TIME - 5 * DAY_MS })
    await keepFor(before)
    clock.set(BASE_TIME + (before - 3) * DAY_MS)
    await store('cart', 10, { at: clock.now() })
    await expire()
    expect(await countEvents()).toEqual([{ n: 10 }])
    await keepFor(after)
    expect(await compare()).toEqual([])
    // A run that reaches less far than one before it takes nothing back.
    await expire()
    expect(await compare()).toEqual([])
    // What came since is compared in whole.
    clock.set(clock.now() + before * DAY_MS)
    await store('login', 40, { at: clock.now() })
    await lose(`cityHash64(event_id) % 3 = 0`)
    expect(await compare()).toEqual([expect.stringMatching(/^stores_differ/)])
  })
  it('wait for no answer of the telemetry when the server stops', async () => {
    await store('cart', 5)
    const sample = await sampleLedger(ledger, clock)
    const findings = createFindings({ now: clock.now })
    const begin = (signal: AbortSignal) => compareStores({ ledger, client: telemetry.client, sample, findings, signal })
    await expect(begin(AbortSignal.abort())).rejects.toThrow(/abort/)
    const stopping = new AbortController()
    const compared = begin(stopping.signal)
    stopping.abort()
    await expect(compared).rejects.toThrow(/abort/)
  })
})

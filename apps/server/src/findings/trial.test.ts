import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem, RECEIVED, RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { Submission } from '../ingest/index.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  TELEMETRY_ENGINES,
  testClock,
  type OpenedLedger,
  type OpenedTelemetry,
} from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { createSpanItems } from '../traces/span-items.ts'
import type { SpanNews } from '../traces/index.ts'
import { createFindingSettings } from './ledger/finding-settings.ts'
import { createSightings } from './ledger/sightings.ts'
import { LIMITS } from './limits.ts'
import { createLook } from './look.ts'
import { resolveSettings, UNCHANGED } from './settings.ts'
import { times } from './spans.fixture.ts'
import { createTracedSpans } from './telemetry/traced-spans.ts'
import { tryOut } from './trial.ts'

const PROJECT = 1
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** A transaction as an SDK sends it, with a query and then one for each of its rows. */
const transaction = (seed: number, name: string, queries: number) => {
  const trace_id = hex(seed, 32)
  const span = (index: number, description: string) => ({
    trace_id,
    span_id: hex(seed * 100 + index + 2, 16),
    parent_span_id: hex(seed * 100 + 1, 16),
    op: 'db',
    description,
    start_timestamp: RECEIVED - 10 + index * 0.03,
    timestamp: RECEIVED - 10 + index * 0.03 + 0.02,
    data: { 'db.system': 'postgresql' },
  })
  return digestItem(
    {
      type: 'transaction',
      transaction: name,
      start_timestamp: RECEIVED - 10,
      timestamp: RECEIVED - 9,
      contexts: { trace: { trace_id, span_id: hex(seed * 100 + 1, 16), op: 'http.server' } },
      spans: [
        span(0, `SELECT * FROM orders WHERE id = ${seed}`),
        ...times(queries, (index) => span(index + 1, `SELECT * FROM items WHERE id = ${seed + index}`)),
      ],
    },
    { type: 'transaction', sender: { projectId: PROJECT } },
  )
}

describe.each(TELEMETRY_ENGINES)('a trial of settings on $name', ({ open }) => {
  let telemetry: OpenedTelemetry
  let ledger: OpenedLedger
  let news: SpanNews = { traces: [], tracesLeftOut: 0 }
  beforeAll(async () => {
    telemetry = await open()
    const [engine] = LEDGER_ENGINES
    if (engine === undefined) throw new Error('no ledger')
    ledger = await engine.open()
    await seedOrganization(ledger.ledger)
    const kind = createSpanItems({ writer: createRowWriter({ client: telemetry.telemetry.client }) })
    const items = [
      ...times(4, (index) => transaction(index + 1, 'GET /orders', 6)),
      ...times(2, (index) => transaction(index + 11, 'GET /carts', 8)),
      ...times(3, (index) => transaction(index + 21, 'GET /clean', 3)),
    ]
    const stored = items.map((item) => {
      const read = kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item.item] })
      if (!read.ok) throw new Error(read.error.detail)
      return { entry: { item, value: read.value, id: () => '', followers: 0 }, ready: undefined, stored: undefined }
    })
    await kind.write?.(stored, { token: 't:1', again: false })
    news = kind.announce?.(stored)[0]?.data as SpanNews
  })
  afterAll(async () => {
    await telemetry.close()
    await ledger.close()
  })

  const spans = () => createTracedSpans({ client: telemetry.telemetry.client })

  it('T90: counts what is raised later on the same data', async () => {
    const trial = await tryOut(spans(), PROJECT, resolveSettings(UNCHANGED), RECEIVED_AT)
    expect(trial.truncated).toBe(false)
    expect(trial.detectors.filter(({ occurrences }) => occurrences > 0)).toEqual([
      { id: 'n_plus_one_db', occurrences: 6, problems: 2, issues: 1 },
    ])
    expect(trial.examples).toMatchObject([
      { transaction: 'GET /orders', occurrences: 4, isIssue: true, text: 'SELECT * FROM items WHERE id = %s' },
      { transaction: 'GET /carts', occurrences: 2, isIssue: false },
    ])

    const clock = testClock(RECEIVED_AT)
    const submitted: Submission[] = []
    const look = createLook({
      spans: spans(),
      settings: createFindingSettings({ ledger: ledger.ledger, clock }),
      sightings: createSightings({ ledger: ledger.ledger }),
      submit: async (submission) => void submitted.push(submission),
      clock,
      logger: silentLogger,
    })
    look.hear({ organizationId: 1, projectId: PROJECT }, news)
    clock.set(clock.now() + LIMITS.FINDING_SETTLE_MS)
    await look.run()
    const seen = await ledger.ledger.db.selectFrom('finding_sightings').selectAll().execute()
    expect(
      seen.map(({ detector, is_issue, times_seen }) => `${detector} ${times_seen} ${is_issue}`).toSorted(),
    ).toEqual(['n_plus_one_db 2 0', 'n_plus_one_db 4 1'])
    expect(submitted.map(({ payload }) => payload['transaction'])).toEqual(times(4, () => 'GET /orders'))
  })

  it('follows the settings that are tried, not those that hold', async () => {
    const changed = resolveSettings({
      detectors: { n_plus_one_db: { seen: 2, thresholds: { count: 7 } } },
      mutes: [],
    })
    const trial = await tryOut(spans(), PROJECT, changed, RECEIVED_AT)
    expect(trial.detectors.find(({ id }) => id === 'n_plus_one_db')).toEqual({
      id: 'n_plus_one_db',
      occurrences: 2,
      problems: 1,
      issues: 1,
    })
    const off = resolveSettings({ detectors: { n_plus_one_db: { enabled: false } }, mutes: [] })
    expect((await tryOut(spans(), PROJECT, off, RECEIVED_AT)).examples).toEqual([])
  })
})

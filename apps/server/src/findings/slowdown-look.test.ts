import { ClickHouseError } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem, RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem, Submission } from '../ingest/index.ts'
import {
  LEDGER_ENGINES,
  recordingLogger,
  seedOrganization,
  TELEMETRY_ENGINES,
  testClock,
  type OpenedLedger,
  type OpenedTelemetry,
} from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { createSpanItems } from '../traces/span-items.ts'
import type { Sender } from './left-out.ts'
import { createFindingSettings } from './ledger/finding-settings.ts'
import { createSightings } from './ledger/sightings.ts'
import { LIMITS } from './limits.ts'
import { HOUR_MS, SLOWDOWN } from './slowdown.ts'
import { createSlowdownLook } from './slowdown-look.ts'
import { times } from './spans.fixture.ts'
import { createTransactionHours, type TransactionHoursReader } from './telemetry/transaction-hours.ts'
import { wholeHoursUntil } from './waiting-projects.ts'

const SHOP: Sender = { organizationId: 1, projectId: 1 }
const BESIDE: Sender = { organizationId: 1, projectId: 2 }
const OTHERS: Sender = { organizationId: 2, projectId: 3 }
const UNTIL = wholeHoursUntil(RECEIVED_AT)
const SAMPLES = 20
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

let spanIds = 0
/** Samples of one hour, of which one in ten takes as long as is said. */
const hourOf = (sender: Sender, transaction: string, from: number, p95: number, samples = SAMPLES): DigestItem => {
  const items = times(samples, (index) => {
    spanIds += 1
    const start = (from + (index * HOUR_MS) / samples) / 1000
    return {
      trace_id: hex(spanIds, 32),
      span_id: hex(spanIds, 16),
      is_segment: true,
      name: transaction,
      start_timestamp: start,
      end_timestamp: start + (index % 10 === 0 ? p95 : 20) / 1000,
      attributes: { 'sentry.op': { value: 'http.server', type: 'string' } },
    }
  })
  const item = digestItem({ version: 2, items }, { type: 'span', sender })
  const contentType = 'application/vnd.sentry.items.span.v2+json'
  return { ...item, item: { ...item.item, header: { ...item.item.header, contentType, itemCount: samples } } }
}

const hoursOf = (sender: Sender, transaction: string, p95s: readonly number[], samples = SAMPLES): DigestItem[] =>
  p95s.map((p95, index) => hourOf(sender, transaction, UNTIL - (p95s.length - index) * HOUR_MS, p95, samples))

const FAST = times(24, () => 180)

describe.each(TELEMETRY_ENGINES)('transactions that became slower, on $name', ({ open }) => {
  let telemetry: OpenedTelemetry
  let ledger: OpenedLedger
  const write = async (items: readonly DigestItem[], token: string): Promise<void> => {
    const kind = createSpanItems({ writer: createRowWriter({ client: telemetry.telemetry.client }) })
    const stored = items.map((item) => {
      const read = kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item.item] })
      if (!read.ok) throw new Error(read.error.detail)
      return { entry: { item, value: read.value, id: () => '', followers: 0 }, ready: undefined, stored: undefined }
    })
    await kind.write?.(stored, { token, again: false })
  }
  beforeAll(async () => {
    telemetry = await open()
    const [engine] = LEDGER_ENGINES
    if (engine === undefined) throw new Error('no ledger')
    ledger = await engine.open()
    await seedOrganization(ledger.ledger)
    const row = { slug: 'others', name: 'Others', settings: '{}', created_at: RECEIVED_AT }
    await ledger.ledger.db
      .insertInto('organizations')
      .values({ ...row, retention_days: 90 })
      .execute()
    await ledger.ledger.db
      .insertInto('projects')
      .values({ ...row, organization_id: 2, platform: 'node', last_issue_number: 0 })
      .execute()
    const orders = hoursOf(SHOP, 'GET /orders', [...FAST, 420, 420, 420])
    // An SDK that got no answer sends again: each of them counts once.
    await write(orders, 't:0')
    await write(
      [
        ...orders,
        ...hoursOf(SHOP, 'GET /steady', [...FAST, 180, 180, 180]),
        ...hoursOf(SHOP, 'GET /rare', [...FAST, 420, 420, 420], SAMPLES - 1),
        // Of the same name: slow always, and never.
        ...hoursOf(BESIDE, 'GET /orders', [...FAST.map(() => 420), 420, 420, 420]),
        ...hoursOf(OTHERS, 'GET /orders', [...FAST, 180, 180, 180]),
      ],
      't:1',
    )
  })
  afterAll(async () => {
    await telemetry.close()
    await ledger.close()
  })

  const begin = async (hours?: TransactionHoursReader) => {
    await ledger.ledger.db.deleteFrom('finding_sightings').execute()
    const clock = testClock(RECEIVED_AT - HOUR_MS)
    const settings = createFindingSettings({ ledger: ledger.ledger, clock })
    for (const { projectId } of [SHOP, BESIDE, OTHERS])
      await settings.save(projectId, {
        detectors: { [SLOWDOWN.id]: { thresholds: { samples: SAMPLES } } },
        mutes: [],
      })
    const submitted: Submission[] = []
    const { logger, lines } = recordingLogger()
    /** As after a restart. */
    const start = () =>
      createSlowdownLook({
        hours: hours ?? createTransactionHours({ client: telemetry.telemetry.client }),
        settings,
        sightings: createSightings({ ledger: ledger.ledger }),
        submit: async (submission) => void submitted.push(submission),
        clock,
        logger,
      })
    const NEWS = { traces: [{ traceId: hex(1, 32), hasRoot: true, sums: {} }], tracesLeftOut: 0 }
    const lookAgain = async (look: ReturnType<typeof start>, senders: readonly Sender[], now: number) => {
      clock.set(now - HOUR_MS)
      for (const sender of senders) look.hear(sender, NEWS)
      clock.set(now)
      await look.run()
    }
    return { clock, lines, lookAgain, NEWS, settings, start, submitted }
  }

  it('says before and after, since when and of how many, and opens an issue at once', async () => {
    const { lookAgain, start, submitted } = await begin()
    await lookAgain(start(), [SHOP], RECEIVED_AT)
    expect(submitted).toMatchObject([
      {
        ...SHOP,
        itemType: 'occurrence',
        payload: {
          transaction: 'GET /orders',
          timestamp: (UNTIL - 1) / 1000,
          occurrence: {
            type: 'performance_p95_endpoint_regression',
            category: 'performance',
            title: 'Slower transaction',
            subtitle: 'p95 went from 180 ms to 420 ms in GET /orders',
            evidence: {
              op: 'http.server',
              p95Before: 180,
              p95After: 420,
              samplesBefore: 24 * SAMPLES,
              samplesAfter: 3 * SAMPLES,
              slowSince: UNTIL - 3 * HOUR_MS,
              slowUntil: UNTIL,
            },
          },
        },
      },
    ])
  })

  it('is about one project of one organisation: what others call the same is not among its numbers', async () => {
    const { lookAgain, start, submitted } = await begin()
    await lookAgain(start(), [BESIDE, OTHERS], RECEIVED_AT)
    expect(submitted).toEqual([])
    // Nor can rows of a project be had in the name of another organisation.
    await lookAgain(start(), [{ ...SHOP, organizationId: OTHERS.organizationId }], RECEIVED_AT)
    expect(submitted).toEqual([])
  })

  it('gives one event, which is stored once, when the server stopped before it knew that it was told', async () => {
    const { lookAgain, start, submitted } = await begin()
    await lookAgain(start(), [SHOP], RECEIVED_AT)
    await ledger.ledger.db.deleteFrom('finding_sightings').execute()
    await lookAgain(start(), [SHOP], RECEIVED_AT)
    await ledger.ledger.db.deleteFrom('finding_sightings').execute()
    await write([hourOf(SHOP, 'GET /orders', UNTIL, 420)], 't:2')
    await lookAgain(start(), [SHOP], RECEIVED_AT + HOUR_MS)
    expect(submitted).toHaveLength(3)
    expect(new Set(submitted.map(({ eventId }) => eventId)).size).toBe(1)
  })

  it('is told once: not an hour later, nor after a restart, nor when more came of those hours', async () => {
    const { lookAgain, start, submitted } = await begin()
    const look = start()
    await lookAgain(look, [SHOP], RECEIVED_AT)
    await lookAgain(start(), [SHOP], RECEIVED_AT)
    await write([hourOf(SHOP, 'GET /orders', UNTIL - 4 * HOUR_MS, 600, 30)], 't:3')
    await lookAgain(look, [SHOP], RECEIVED_AT + HOUR_MS)
    await lookAgain(look, [SHOP], RECEIVED_AT + HOUR_MS)
    expect(submitted).toHaveLength(1)
  })

  const slow = (count: number): TransactionHoursReader => ({
    load: async (_, until) =>
      times(count, (index) => ({
        transaction: `GET /${index}`,
        op: 'http.server',
        hours: [...FAST, ...times(3, () => 420 + index)].map((p95, hour) => ({
          hour: until - (27 - hour) * HOUR_MS,
          samples: 100,
          p95,
        })),
      })),
  })
  const told = (submitted: readonly Submission[]) => submitted.map(({ payload }) => payload['transaction'])

  it('T89: is none where the rule is off or the transaction muted', async () => {
    const { clock, lookAgain, settings, start, submitted } = await begin(slow(2))
    await settings.save(SHOP.projectId, { detectors: { [SLOWDOWN.id]: { enabled: false } }, mutes: [] })
    const mutes = [{ detector: '', transaction: 'GET /0' }]
    await settings.save(BESIDE.projectId, { detectors: {}, mutes })
    await lookAgain(start(), [SHOP, BESIDE], clock.now())
    expect(told(submitted)).toEqual(['GET /1'])
  })

  it('tells of a service that is slow as a whole what is lost most by, and no more on one day', async () => {
    const all = LIMITS.SLOWDOWNS_PER_DAY + 2
    const { lines, lookAgain, start, submitted } = await begin(slow(all))
    const look = start()
    await lookAgain(look, [SHOP], RECEIVED_AT)
    expect(told(submitted)).toEqual(times(LIMITS.SLOWDOWNS_PER_DAY, (index) => `GET /${all - 1 - index}`))
    expect(lines.filter((line) => line.includes('more transactions became slower'))).toHaveLength(1)
    await lookAgain(look, [SHOP], RECEIVED_AT + HOUR_MS)
    expect(submitted).toHaveLength(LIMITS.SLOWDOWNS_PER_DAY)
  })

  /** Reads nothing, and says of whom it was asked. */
  const asked = (clock: { now(): number; set(now: number): void }, takesMs: number, fails: () => Error | null) => {
    const projects: number[] = []
    const hours: TransactionHoursReader = {
      load: async ({ projectId }) => {
        projects.push(projectId)
        clock.set(clock.now() + takesMs)
        const failure = fails()
        if (failure !== null) throw failure
        return []
      },
    }
    return { hours, projects }
  }

  const withReads = async (takesMs: number, fails: () => Error | null = () => null) => {
    const clock = testClock(UNTIL)
    const { hours, projects } = asked(clock, takesMs, fails)
    const { settings } = await begin()
    const { logger, lines } = recordingLogger()
    const sightings = createSightings({ ledger: ledger.ledger })
    const look = createSlowdownLook({ hours, settings, sightings, submit: async () => undefined, clock, logger })
    const hear = (sender: Sender, hasRoot = true): void =>
      look.hear(sender, { traces: [{ traceId: hex(1, 32), hasRoot, sums: {} }], tracesLeftOut: 0 })
    return { clock, hear, lines, look, projects }
  }

  it('is looked for once an hour, where transactions came, when the hour is whole', async () => {
    const { clock, hear, look, projects } = await withReads(0)
    hear(SHOP, false)
    clock.set(UNTIL + 2 * HOUR_MS)
    expect(look.isDue()).toBe(false)
    hear(SHOP)
    hear(SHOP)
    clock.set(UNTIL + 3 * HOUR_MS + LIMITS.SLOWDOWN_SETTLE_MS - 1)
    expect(look.isDue()).toBe(false)
    await look.run()
    expect(projects).toEqual([])
    clock.set(UNTIL + 3 * HOUR_MS + LIMITS.SLOWDOWN_SETTLE_MS)
    expect(look.isDue()).toBe(true)
    await look.run()
    await look.run()
    expect(look.isDue()).toBe(false)
    expect(projects).toEqual([SHOP.projectId])
  })

  it('takes organisations in turn, and leaves to the next look what there is no time for', async () => {
    const { clock, hear, look, projects } = await withReads(LIMITS.SLOWDOWN_LOOK_MS / 2)
    const many = times(4, (index) => ({ organizationId: 1, projectId: 10 + index }))
    for (const sender of [...many, OTHERS]) hear(sender)
    clock.set(UNTIL + 2 * HOUR_MS)
    await look.run()
    expect(projects).toEqual([10, OTHERS.projectId])
    await look.run()
    expect(projects).toEqual([10, OTHERS.projectId, 11, 12])
  })

  it('a project that is too much for the engine is told in the log, and keeps no other from being looked at', async () => {
    const slowError = new ClickHouseError({ message: 'Timeout exceeded', code: '159', type: 'TIMEOUT_EXCEEDED' })
    let failure: Error | null = slowError
    const { clock, hear, lines, look, projects } = await withReads(0, () => {
      const now = failure
      failure = null
      return now
    })
    hear(SHOP)
    hear(OTHERS)
    clock.set(UNTIL + 2 * HOUR_MS)
    await look.run()
    expect(projects).toEqual([SHOP.projectId, OTHERS.projectId])
    expect(lines.filter((line) => line.includes('too many') && line.includes('project=1'))).toHaveLength(1)
    // While the store is away the job fails, and the others wait.
    failure = new Error('away')
    hear(SHOP)
    hear(OTHERS)
    clock.set(UNTIL + 4 * HOUR_MS)
    await expect(look.run()).rejects.toThrow('away')
    expect(look.isDue()).toBe(true)
  })
})

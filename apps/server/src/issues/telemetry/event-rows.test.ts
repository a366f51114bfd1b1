import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventToStore, StoredEvent } from '../events.store.ts'
import type { TelemetryBatch } from '../../../test/stores/batch-stores.ts'
import type { KeptItem } from '../../kept-items/kept-item.ts'
import type { OutcomeRow } from '../../ingest/road.ts'
import { createTelemetryEventView } from './events.view.ts'
import { connectTelemetry } from '../../storage/telemetry/telemetry.ts'
import { createTelemetryStore } from '../../../test/stores/batch-stores.ts'
import { LIMITS } from '../limits.ts'
import { TELEMETRY_ENGINES } from '../../storage/conformance/engines.ts'
import type { OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { BASE_TIME, sampleEvent } from '../test/sample-events.ts'
import type { SampleEvent } from '../test/sample-events.ts'

/** Rows do not depend on where they are written. */
const { encode } = createTelemetryStore({ client: connectTelemetry({ kind: 'server', url: 'http://localhost' }) })

const stored = (
  sample: SampleEvent,
  { organizationId = 1, projectId = 1, issueId = 1, ...rest }: Partial<StoredEvent & EventToStore> = {},
): StoredEvent => ({
  organizationId,
  projectId,
  issueId,
  row: encode({
    receivedAt: sample.at ?? BASE_TIME,
    grouped: sampleEvent(sample),
    traceId: null,
    spanId: null,
    replayId: null,
    ...rest,
  }),
})

const batch = (token: string, rest: Partial<TelemetryBatch>): TelemetryBatch => ({
  token,
  events: [],
  outcomes: () => [],
  keptItems: [],
  ...rest,
})

const outcome = (rest: Partial<OutcomeRow> = {}): OutcomeRow => ({
  organizationId: 1,
  projectId: 1,
  keyId: 1,
  timestamp: BASE_TIME + 1234,
  outcome: 'accepted',
  reason: '',
  itemType: 'event',
  category: 'error',
  sdk: 'sentry.javascript.react/11.2.0',
  quantity: 1,
  bytes: 10,
  ...rest,
})

describe.each(TELEMETRY_ENGINES)('telemetry on $name', ({ open }) => {
  let opened: OpenedTelemetry

  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  const rows = async <Row>(query: string, query_params: Record<string, unknown> = {}): Promise<Row[]> => {
    const result = await opened.telemetry.client.query({ query, query_params, format: 'JSONEachRow' })
    return result.json<Row>()
  }
  const write = async (...batches: TelemetryBatch[]): Promise<void> => {
    const store = createTelemetryStore({ client: opened.telemetry.client })
    for (const next of batches) await store.write(next)
  }

  it('gives back every field as it was, hostile text included', async () => {
    const nasty = 'tab\t line\n\n cr\r nul\0 quote\' "double" back\\slash \\N ; FORMAT \u{1F600} é \u2028 {x:Int8}'
    const event = sampleEvent({ seed: 'nasty', message: nasty, release: nasty, environment: nasty, user: nasty })
    event.event.tags = [
      ['empty', ''],
      ["it's", nasty],
    ]
    event.event.exception?.values.unshift({ type: nasty, value: '' })
    await write(
      batch('nasty', {
        events: [
          stored({ seed: 'nasty' }, { grouped: event, projectId: 9, issueId: 2 ** 40, traceId: 'ab'.repeat(16) }),
        ],
      }),
    )
    const [row] = await rows<Record<string, unknown>>(
      `SELECT *, toUnixTimestamp64Milli(timestamp) AS at FROM events WHERE project_id = 9`,
    )
    expect(row).toMatchObject({
      organization_id: 1,
      issue_id: 2 ** 40,
      at: BASE_TIME,
      message: nasty,
      release: nasty,
      environment: nasty,
      user_id: nasty,
      unhandled: true,
      error_types: [nasty, expect.any(String)],
      error_values: ['', nasty],
      tags: { empty: '', "it's": nasty },
      trace_id: 'ab'.repeat(16),
      replay_id: '',
    })
    expect(String(row?.['event_id']).replaceAll('-', '')).toBe(event.event.event_id)
    expect(JSON.parse(String(row?.['payload']))).toEqual(JSON.parse(JSON.stringify(event.event)))
  })

  it('keeps with an event what grouping decided, and no rule by halves', async () => {
    const view = createTelemetryEventView({ client: opened.telemetry.client })
    const decided = { variant: 'app', description: 'by \t "it" \\ \u2028', rule: 'a \\ -> "b"', mainException: 0 }
    const long = 'x'.repeat(LIMITS.GROUPING_REASON_CHARACTERS + 1)
    for (const [seed, decision, expected] of [
      ['decided-1', decided, decided],
      ['decided-2', { variant: 'app', description: 'frames' }, { variant: 'app', description: 'frames' }],
      [
        'decided-3',
        { variant: 'app', description: long, rule: long },
        { variant: 'app', description: `${'x'.repeat(LIMITS.GROUPING_REASON_CHARACTERS - 1)}…` },
      ],
    ] as const) {
      const grouped = { ...sampleEvent({ seed }), decision }
      await write(batch(seed, { events: [stored({ seed }, { grouped, projectId: 30 })] }))
      const loaded = await view.load({
        organizationId: 1,
        projectId: 30,
        storedIssueId: 1,
        timestamp: BASE_TIME,
        eventId: grouped.event.event_id,
      })
      expect(loaded?.grouping).toEqual({ ...grouped.grouping, ...expected })
      expect([loaded?.title, loaded?.culprit]).toEqual([grouped.title.title, grouped.title.culprit])
    }
  })

  it('stores frames that recur once a week and project, and gives every event its own', async () => {
    const WEEK_MS = 7 * 24 * 3_600_000
    const sample = (seed: string, at = BASE_TIME): SampleEvent => ({ seed, kind: 'often', at, recurring: true })
    const event = (seed: string, projectId: number, at = BASE_TIME) => stored(sample(seed, at), { projectId })
    const first = batch('often:1', { events: [event('1', 20), event('2', 20), event('3', 21)] })
    const store = createTelemetryStore({ client: opened.telemetry.client })
    for (const next of [
      first,
      batch('often:2', { events: [event('4', 20), event('5', 20, BASE_TIME + WEEK_MS)] }),
      batch('often:3', { events: [event('6', 20)] }),
    ]) {
      await store.write(next)
    }
    const stacks = `SELECT project_id AS project, toDate(kept_until) AS until FROM stacks WHERE project_id IN (20, 21) ORDER BY project, until`
    const expected = [
      { project: 20, until: '2026-11-01' },
      { project: 20, until: '2026-11-08' },
      { project: 21, until: '2026-11-01' },
    ]
    expect(await rows(stacks)).toEqual(expected)
    // Another process does not know what is there, and may repeat what this one wrote.
    await write(first, batch('often:4', { events: [event('7', 20)] }))
    expect(await rows(stacks.replace('SELECT', 'SELECT DISTINCT'))).toEqual(expected)

    const view = createTelemetryEventView({ client: opened.telemetry.client })
    const load = (seed: string, projectId: number) =>
      view.load({
        organizationId: 1,
        projectId,
        storedIssueId: 1,
        timestamp: BASE_TIME,
        eventId: sampleEvent(sample(seed)).event.event_id,
      })
    for (const [seed, projectId] of [
      ['1', 20],
      ['3', 21],
      ['7', 20],
    ] as const) {
      const loaded = await load(seed, projectId)
      expect(loaded?.event).toEqual(JSON.parse(JSON.stringify(sampleEvent(sample(seed)).event)))
      expect(loaded?.bytes).toBeGreaterThan(1000)
    }

    // Together they are the same, and one that is not there is left out.
    const place = { organizationId: 1, projectId: 20, storedIssueId: 1, timestamp: BASE_TIME }
    const ids = ['1', '2', '7', 'none'].map((seed) => sampleEvent(sample(seed)).event.event_id)
    const some = await view.loadSome(ids.map((eventId) => ({ ...place, eventId })))
    expect(some.size).toBe(3)
    expect(some.get(ids[0] ?? '')).toEqual(await load('1', 20))
    expect(some.get(ids[2] ?? '')).toEqual(await load('7', 20))

    await opened.telemetry.client.command({ query: 'TRUNCATE TABLE stacks' })
    const lost = await load('1', 20)
    expect(lost?.event.exception?.values[0]).toMatchObject({ type: expect.any(String), stacktrace: { frames: [] } })
    expect(lost?.event.errors).toMatchObject([{ type: 'stack_expired' }])
  })

  it.each([
    '//{ error == }',
    '" // { serverError 43 }',
    '\\" /* { error == } */ -- {',
    "' # { echo }",
    '\n\nDROP TABLE events;\n',
    '; DROP TABLE events; --',
  ])('takes rows for rows, never for a statement or an order about one: %j', async (text) => {
    const seed = `statement ${text}`
    const event = sampleEvent({ seed, message: text })
    event.event.tags = [['tag', text]]
    event.event.transaction = text
    await write(batch(seed, { events: [stored({ seed }, { grouped: event, projectId: 12, issueId: 1 })] }))
    const hex = event.event.event_id
    expect(
      await rows(`SELECT message, tags, transaction FROM events WHERE event_id = toUUID({hex:String})`, {
        hex: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      }),
    ).toEqual([{ message: text, tags: { tag: text }, transaction: text }])
  })

  it('replaces a lone surrogate and keeps the row', async () => {
    await write(batch('surrogate', { events: [stored({ seed: 's', message: 'a\ud800b' }, { projectId: 10 })] }))
    expect(await rows('SELECT message FROM events WHERE project_id = 10')).toEqual([{ message: 'a\ufffdb' }])
  })

  it('finds the rows that it can never store, and stores the rest once', async () => {
    const good = ['1', '2', '3', '4', '5'].map((seed) => stored({ seed: `refuse ${seed}` }, { projectId: 14 }))
    const bad: StoredEvent = {
      organizationId: 1,
      projectId: 14,
      issueId: 1,
      row: { bytes: Buffer.from('no\trow\n'), stacks: [] },
    }
    const events = [...good.slice(0, 2), bad, ...good.slice(2), bad]
    const store = createTelemetryStore({ client: opened.telemetry.client })
    const seen: number[][] = []
    const repeated = batch('refuse:1', {
      events,
      outcomes: (refused) => {
        seen.push([...refused.events.keys()])
        return [outcome({ projectId: 14, quantity: refused.events.size })]
      },
    })
    for (let time = 0; time < 2; time++) {
      const refused = await store.write(repeated)
      expect([...refused.events.keys()]).toEqual([2, 6])
      expect(refused.events.get(2)).toMatch(/parse/i)
    }
    expect(seen).toEqual([
      [2, 6],
      [2, 6],
    ])
    expect(await rows('SELECT count() AS n FROM events WHERE project_id = 14')).toEqual([{ n: 5 }])
    expect(await rows('SELECT sum(quantity) AS n FROM outcomes WHERE project_id = 14')).toEqual([{ n: 2 }])
  })

  it('stores a repeated batch once, in every table', async () => {
    const kept: KeptItem = {
      organizationId: 1,
      projectId: 11,
      id: 'f'.repeat(32),
      itemType: 'transaction',
      eventId: null,
      traceId: null,
      receivedAt: BASE_TIME,
      envelopeHeader: '{}',
      itemHeader: '{"type":"transaction"}',
      filename: null,
      contentType: null,
      bytes: 4,
      payload: '{\n\n}',
      blobKey: null,
    }
    const repeated = batch('spool:7', {
      events: [
        stored({ seed: '1' }, { projectId: 11 }),
        // A second partition.
        stored({ seed: '2', at: BASE_TIME + 21 * 24 * 3_600_000 }, { projectId: 11 }),
      ],
      outcomes: () => [outcome({ projectId: 11 }), outcome({ projectId: 11, bytes: 5 })],
      keptItems: [kept],
    })
    await write(repeated, repeated, batch('spool:8', { outcomes: () => [outcome({ projectId: 11 })] }), repeated)
    expect(await rows('SELECT count() AS n FROM events WHERE project_id = 11')).toEqual([{ n: 2 }])
    expect(await rows('SELECT payload FROM kept_items WHERE project_id = 11')).toEqual([{ payload: '{\n\n}' }])
    expect(
      await rows(
        'SELECT toUnixTimestamp(timestamp) AS at, sum(quantity) AS quantity, sum(bytes) AS bytes FROM outcomes WHERE project_id = 11 GROUP BY timestamp',
      ),
    ).toEqual([{ at: BASE_TIME / 1000, quantity: 3, bytes: 25 }])
  })

  it('binds parameters of every type that views use', async () => {
    const text = "it's \\ {x:String} \n\t -- /* */ é"
    const query = `SELECT {text:String} AS text, {texts:Array(String)} AS texts, {ids:Array(UInt64)} AS ids,
      {none:Nullable(String)} AS none, toUnixTimestamp64Milli({at:DateTime64(3, 'UTC')}) AS at, '{text:String}' AS literal,
      {flag:Bool} AS flag, {float:Float64} AS float /* {comment:String} */ -- {comment:String}`
    const [row] = await rows(query, {
      text,
      texts: [text, ''],
      ids: [1, 2 ** 40],
      none: null,
      at: new Date(BASE_TIME + 5),
      flag: true,
      float: 1.5,
    })
    expect(row).toEqual({
      text,
      texts: [text, ''],
      ids: [1, 2 ** 40],
      none: null,
      at: BASE_TIME + 5,
      literal: '{text:String}',
      flag: true,
      float: 1.5,
    })
  })

  it('binds thousands of ids', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => index + 1)
    expect(await rows('SELECT length({ids:Array(UInt64)}) AS n', { ids })).toEqual([{ n: 20_000 }])
  })

  it('reports errors with their code', async () => {
    await expect(rows('SELECT * FROM nothing_like_this')).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' })
    await expect(rows('SELECT {missing:String}')).rejects.toMatchObject({ code: '456' })
  })

  it('keeps the settings of a query to that query', async () => {
    const { client } = opened.telemetry
    const setting = async (clickhouse_settings: Record<string, string>): Promise<unknown> => {
      const result = await client.query({
        query: `SELECT getSetting('max_result_rows') AS value`,
        format: 'JSONEachRow',
        clickhouse_settings,
      })
      return result.json()
    }
    expect(await setting({ max_result_rows: '123' })).toEqual([{ value: 123 }])
    const others = await Promise.all(Array.from({ length: 8 }, () => setting({})))
    expect(others).toEqual(others.map(() => [{ value: 0 }]))
  })

  it('answers many queries at once, from several clients', async () => {
    const other = connectTelemetry(opened.telemetry.endpoint)
    const clients = [opened.telemetry.client, other]
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const result = await clients[index % 2]?.query({
          query: 'SELECT {n:UInt32} AS n',
          query_params: { n: index },
          format: 'JSONEachRow',
        })
        return result?.json()
      }),
    )
    expect(answers).toEqual(answers.map((_, index) => [{ n: index }]))
    await other.close()
  })

  it('finds words by their middle, in any case', async () => {
    await write(
      batch('search', {
        events: [
          stored({ seed: 'a', message: 'Payment GATEWAY timed out' }, { projectId: 12, issueId: 1 }),
          stored({ seed: 'b', message: 'nothing to see' }, { projectId: 12, issueId: 2 }),
        ],
      }),
    )
    const query = 'SELECT issue_id FROM events WHERE project_id = 12 AND search_text LIKE {pattern:String}'
    expect(await rows(query, { pattern: '%ateway tim%' })).toEqual([{ issue_id: 1 }])
    await opened.telemetry.client.command({ query: 'OPTIMIZE TABLE events FINAL' })
    expect(await rows(query, { pattern: '%ateway tim%' })).toEqual([{ issue_id: 1 }])
  })
})

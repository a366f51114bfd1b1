import { getEventsMeta, queryEvents } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../http/index.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { createTableRoutes } from './events.routes.ts'
import { callRoute } from './test/call.ts'
import { createServices, FROM } from './test/sample-spans.ts'

const [PROFILE, PROFILER, CHUNK, TRACE] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(32))
const NONE = '0'.repeat(32)

describe.each(TELEMETRY_ENGINES)('profiles asked on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let routes: readonly Route[]
  beforeAll(async () => {
    opened = await open()
    routes = createTableRoutes(createServices(opened))
    const row = (more: object) => ({
      organization_id: 1,
      project_id: 1,
      profile_id: PROFILE,
      profiler_id: NONE,
      trace_id: TRACE,
      transaction_id: NONE,
      segment_id: '171',
      transaction: 'GET /tea',
      timestamp: FROM,
      start_micros: 500,
      duration: 250_000,
      threads: ['1'],
      active_thread: '1',
      platform: 'python',
      release: 'tea@1',
      environment: 'production',
      sdk: 'sentry.python/2.75.0',
      samples: 9,
      blob_key: 'key',
      received: FROM,
      ...more,
    })
    await opened.telemetry.client.insert({
      table: 'profiles',
      values: [
        row({}),
        // Sent twice.
        row({}),
        row({ profile_id: CHUNK, profiler_id: PROFILER, trace_id: NONE, transaction: '', segment_id: '0' }),
        row({ profile_id: 'e'.repeat(32), organization_id: 2, transaction: 'secret' }),
      ],
      format: 'JSONEachRow',
    })
  })
  afterAll(() => opened.close())

  const of = { dataset: 'profiles', statsPeriod: '1h' }
  const ask = async (field: readonly string[], more: object = {}) =>
    (await callRoute(routes, queryEvents, { query: { ...of, field, ...more } })).body

  it('T106 the fields that MCP asks for, of a transaction and of a profiler', async () => {
    const fields = [
      'project',
      'profile.id',
      'profiler.id',
      'thread.id',
      'timestamp',
      'transaction',
      'transaction.duration',
      'release',
      'environment',
      'trace',
      'precise.start_ts',
      'precise.finish_ts',
    ]
    const whole = await ask(fields, { query: 'has:profile.id', sort: ['-timestamp'] })
    expect(whole.data).toEqual([
      expect.objectContaining({
        project: 'shop',
        'profile.id': PROFILE,
        'profiler.id': '',
        'thread.id': '1',
        timestamp: new Date(FROM).toISOString(),
        transaction: 'GET /tea',
        // Nanoseconds.
        'transaction.duration': 250_000_000,
        release: 'tea@1',
        environment: 'production',
        trace: TRACE,
        'precise.start_ts': null,
      }),
    ])
    const chunks = await ask(fields, { query: `profiler.id:${PROFILER}` })
    expect(chunks.data).toEqual([
      expect.objectContaining({
        'profile.id': '',
        'profiler.id': PROFILER,
        trace: '',
        'precise.start_ts': (FROM + 0.5) / 1000,
        'precise.finish_ts': (FROM + 250.5) / 1000,
      }),
    ])
  })

  it('are found by id, trace, transaction, words and time, and counted by what they say', async () => {
    for (const [query, found] of [
      [`profile.id:${PROFILE}`, 1],
      [`profile.id:${CHUNK}`, 0],
      [`id:${CHUNK}`, 1],
      [`trace:${TRACE}`, 1],
      ['transaction:"GET /tea"', 1],
      ['tea', 1],
      ['has:profiler.id', 1],
      ['profile.duration:>200ms', 2],
      ['profile.duration:>1s', 0],
      ['platform.name:python sdk.name:sentry.python', 2],
      ['never.sent:1', 0],
    ] as const) {
      const { body } = await callRoute(routes, getEventsMeta, { query: { ...of, query } })
      expect([query, body.count]).toEqual([query, found])
    }
    expect((await ask(['release', 'count()', 'p95()', 'last_seen()'], { sort: ['-count()'] })).data).toEqual([
      { release: 'tea@1', 'count()': 2, 'p95()': 250_000_000, 'last_seen()': new Date(FROM).toISOString() },
    ])
  })
})

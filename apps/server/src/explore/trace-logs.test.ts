import { listTraceLogs } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../http/index.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { callRoute } from './test/call.ts'
import { createServices, FROM } from './test/sample-spans.ts'
import { createTraceLogsRoute } from './trace-logs.routes.ts'

const [FIRST = '', SECOND = '', OTHER = ''] = ['a', 'b', 'c'].map((digit) => digit.repeat(32))

describe.each(TELEMETRY_ENGINES)('log lines of traces on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let routes: readonly Route[]
  beforeAll(async () => {
    opened = await open()
    routes = [createTraceLogsRoute(createServices(opened))]
    const lines = [
      { trace_id: FIRST, body: 'begun', project_id: 1 },
      { trace_id: FIRST, body: 'ended', project_id: 2, level: 'error', severity: 17 },
      { trace_id: SECOND, body: 'elsewhere' },
      { trace_id: OTHER, body: 'not asked for' },
      { trace_id: FIRST, body: 'secret', organization_id: 2 },
    ].map((line, index) => ({
      organization_id: 1,
      project_id: 1,
      level: 'info',
      severity: 9,
      id: String(index + 1),
      timestamp: FROM + index,
      nanos: 5,
      received: FROM,
      environment: 'production',
      ...line,
    }))
    // The first two come again, after an answer that was lost.
    for (const values of [lines, lines.slice(0, 2)])
      await opened.telemetry.client.insert({ table: 'logs', values, format: 'JSONEachRow' })
  })
  afterAll(() => opened.close())

  const ask = (query: object) => callRoute(routes, listTraceLogs, { query: { statsPeriod: '1h', ...query } })
  const messages = async (query: object) => (await ask(query)).body.data.map(({ message }) => message)

  it('T106 are those of all projects, latest first, with what Sentry’s view of a trace shows', async () => {
    const { body } = await ask({ traceId: [FIRST] })
    expect(body.data).toEqual([
      expect.objectContaining({
        'sentry.item_id': expect.stringMatching(/^[0-9a-f]{32}$/),
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        'project.id': 2,
        trace: FIRST,
        severity: 'error',
        severity_number: 17,
        timestamp: new Date(FROM + 1).toISOString(),
        'tags[sentry.timestamp_precise,number]': (FROM + 1) * 1e6,
        message: 'ended',
      }),
      expect.objectContaining({ 'project.id': 1, message: 'begun' }),
    ])
    expect(body.meta.dataset).toBe('ourlogs')
    expect(Object.values(body.meta.units)).not.toContain(null)
  })

  it('of several traces, by a search, in an order, page by page', async () => {
    const both = { traceId: [FIRST, SECOND], orderby: ['timestamp'] }
    expect(await messages(both)).toEqual(['begun', 'ended', 'elsewhere'])
    expect(await messages({ ...both, query: 'begun OR severity:error' })).toEqual(['begun', 'ended'])
    const pages: unknown[] = []
    for (let cursor: string | null | undefined; cursor !== null && pages.length < 10;) {
      const { body, next } = await ask({ ...both, per_page: 2, cursor })
      pages.push(...body.data.map(({ message }) => message))
      cursor = next
    }
    expect(pages).toEqual(['begun', 'ended', 'elsewhere'])
  })

  it('what is no trace, and an order by what is not shown, are refused in words', async () => {
    const refused = (query: object) =>
      ask(query).then(
        () => 'answered',
        (error: unknown) => (error as Error & { detail: string }).detail,
      )
    expect(await refused({ traceId: ['tea'] })).toBe('"tea" is no id of a trace: it has 32 hexadecimal digits.')
    expect(await refused({ traceId: [FIRST], orderby: ['user'] })).toContain('user')
    expect(await refused({ traceId: [FIRST], query: 'begun) OR (trace:*' })).toContain('The search cannot be read')
    await expect(ask({})).rejects.toThrow('traceId')
  })
})

import { context, SpanKind, SpanStatusCode, trace as api } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, SimpleSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Span, Trace } from '@firsthand/contract'
import { SPAN_FLAGS } from '@firsthand/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type ReceiptJson } from '../lib/api.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'otlp'

/** Exporters of OpenTelemetry as they are published, in both encodings, compressed. */
describe('what OpenTelemetry exports', () => {
  let server: SharedServer
  beforeAll(async () => {
    server = await joinServer(ORGANIZATION)
  })

  const send = async (make: (url: string, headers: Record<string, string>) => SpanExporter): Promise<string> => {
    const { origin, username, pathname } = new URL(server.account.dsn)
    const url = `${origin}/api${pathname}/integration/otlp/v1/traces`
    const exporter = make(url, { 'x-sentry-auth': `sentry sentry_key=${username}` })
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        'service.name': 'billing',
        'service.version': 'billing@3',
        'host.name': 'h1',
      }),
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    })
    const tracer = provider.getTracer('invoices')
    const root = tracer.startSpan('GET /invoices/{id}', {
      kind: SpanKind.SERVER,
      attributes: { 'http.route': '/invoices/{id}', 'http.request.method': 'GET', 'http.response.status_code': 500 },
    })
    const query = tracer.startSpan(
      'SELECT invoices',
      {
        kind: SpanKind.CLIENT,
        attributes: { 'db.system.name': 'postgresql', rows: [1, 2, 3], cached: false, ratio: 0.5 },
      },
      api.setSpan(context.active(), root),
    )
    query.addEvent('fetched', { rows: 3 })
    query.end()
    root.setStatus({ code: SpanStatusCode.ERROR, message: 'no such invoice' })
    root.end()
    await provider.forceFlush()
    await provider.shutdown()
    return root.spanContext().traceId
  }

  const read = async (id: string) => {
    const { get } = apiOf(server)
    const path = `/organizations/${ORGANIZATION}/traces/${id}`
    const found = await until('both spans', async () => {
      const trace = await get<Trace>(`${path}/`).catch(() => null)
      return trace?.spans.id.length === 2 ? trace : null
    })
    const { spans, words } = found
    const drawn = spans.id.map((_, place) => ({
      op: words[spans.op[place] ?? 0],
      name: words[spans.name[place] ?? 0],
      transaction: words[spans.transaction[place] ?? 0],
      status: words[spans.status[place] ?? 0],
      parent: spans.parent[place],
      isSegment: ((spans.flags[place] ?? 0) & SPAN_FLAGS.segment) !== 0,
    }))
    const each = await Promise.all(spans.id.map((span) => get<Span>(`${path}/spans/${span}/`)))
    const attributes = each.map((span) =>
      Object.fromEntries(span.attributes.map(({ name, value }) => [name, name === 'otel.events' ? 'events' : value])),
    )
    return { drawn, attributes, releases: each.map(({ release }) => release) }
  }

  it('T7: spans in JSON and in protobuf are the same rows', async () => {
    const compression = 'gzip' as never
    const json = await read(await send((url, headers) => new JsonExporter({ url, headers, compression })))
    const protobuf = await read(await send((url, headers) => new ProtobufExporter({ url, headers, compression })))
    expect(json.drawn).toEqual([
      {
        op: 'http.server',
        name: 'GET /invoices/{id}',
        transaction: 'GET /invoices/{id}',
        status: 'error',
        parent: -1,
        isSegment: true,
      },
      { op: 'db', name: 'SELECT invoices', transaction: 'GET /invoices/{id}', status: '', parent: 0, isSegment: false },
    ])
    expect(json.releases).toEqual(['billing@3', 'billing@3'])
    expect(json.attributes[1]).toMatchObject({
      'service.name': 'billing',
      'resource.host.name': 'h1',
      'otel.scope.name': 'invoices',
      'otel.events': 'events',
      rows: [1, 2, 3],
      cached: false,
      ratio: 0.5,
    })
    expect(protobuf).toEqual(json)
  })

  it('T9, T10: what is no span is counted, ids in upper case and base64 are read', async () => {
    const { origin, username, pathname } = new URL(server.account.dsn)
    const trace = 'ab'.repeat(16)
    const nanoseconds = (milliseconds: number): string => `${Date.now() - milliseconds}000000`
    const span = (spanId: string, traceId = trace) => ({
      traceId,
      spanId,
      name: 'work',
      startTimeUnixNano: nanoseconds(5),
      endTimeUnixNano: nanoseconds(1),
    })
    const spans = [
      span('CD'.repeat(8)),
      span(Buffer.from('ef'.repeat(8), 'hex').toString('base64'), Buffer.from(trace, 'hex').toString('base64')),
      span('not an id'),
      { ...span('12'.repeat(8)), startTimeUnixNano: '0' },
    ]
    const answer = await fetch(`${origin}/api${pathname}/integration/otlp/v1/traces/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sentry-auth': `sentry sentry_key=${username}` },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    })
    expect(answer.ok).toBe(true)
    const { get, receipts } = apiOf(server)
    const found = await until('the spans that can be read', () =>
      get<Trace>(`/organizations/${ORGANIZATION}/traces/${trace}/`).catch(() => null),
    )
    expect(found.spans.id.toSorted()).toEqual(['cd'.repeat(8), 'ef'.repeat(8)])
    const bad = await until('a receipt for the others', async () => {
      const { totals } = await receipts()
      const wanted = ({ itemType, reason }: ReceiptJson): boolean =>
        itemType === 'otel_traces_data' && reason === 'invalid_span'
      return totals.find(wanted) ?? null
    })
    expect(bad.quantity).toBe(2)
  })
})

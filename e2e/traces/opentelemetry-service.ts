import { once } from 'node:events'
import { createServer } from 'node:http'
import { ROOT_CONTEXT, SpanKind, trace as api } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

/** A service that knows nothing of Sentry: it goes on with W3C's `traceparent`, and exports to the project of the DSN. */
export const startOpenTelemetryService = async (dsn: string): Promise<{ url: string; close(): Promise<void> }> => {
  const { origin, username, pathname } = new URL(dsn)
  const exporter = new OTLPTraceExporter({
    url: `${origin}/api${pathname}/integration/otlp/v1/traces`,
    headers: { 'x-sentry-auth': `sentry sentry_key=${username}` },
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'stock' }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  })
  const tracer = provider.getTracer('stock')
  const server = createServer((request, response) => {
    const [, traceId = '', spanId = '', flags = ''] = String(request.headers['traceparent']).split('-')
    const caller = { traceId, spanId, traceFlags: Number(flags), isRemote: true }
    const attributes = { 'http.route': '/stock/{id}', 'http.request.method': 'GET' }
    const root = tracer.startSpan(
      'GET /stock/{id}',
      { kind: SpanKind.SERVER, attributes },
      api.setSpanContext(ROOT_CONTEXT, caller),
    )
    const query = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }
    tracer.startSpan('SELECT stock', query, api.setSpan(ROOT_CONTEXT, root)).end()
    root.end()
    response.end('3')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the service has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await provider.shutdown()
    },
  }
}

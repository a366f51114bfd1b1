import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { messageOf } from '../../../lib/error-text.ts'
import { UnknownParameterError, substituteParameters } from './query-parameters.ts'

/**
 * The part of ClickHouse's HTTP interface that @clickhouse/client speaks, in front of any engine: statement in the URL
 * or in the body, `param_*`, settings and `default_format` in the URL, inserts with the rows as the body.
 */

/** One statement, with everything that the request said about it. */
export interface Statement {
  readonly sql: string
  readonly format: string
  readonly settings: ReadonlyMap<string, string>
  /** Rows of an insert, in the format that the statement names; null when the statement stands alone. */
  readonly rows: Buffer | null
}

export interface StatementResult {
  readonly body: Uint8Array
  readonly readRows: number
  readonly readBytes: number
  readonly writtenRows: number
  readonly writtenBytes: number
  readonly elapsedSeconds: number
}

/** @throws Error whose message is the engine's, e.g. `Code: 60. DB::Exception: …` */
export type Execute = (statement: Statement, signal: AbortSignal) => Promise<StatementResult>

export interface HttpInterfaceLimits {
  readonly bodyBytes: number
  /** Request line and headers: parameters travel in the URL. */
  readonly headerBytes: number
}

/** Parameters of the HTTP layer itself, which no engine knows as settings. */
const TRANSPORT_PARAMETERS = new Set([
  'query',
  'query_id',
  'database',
  'session_id',
  'session_timeout',
  'session_check',
  'role',
  'default_format',
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_write_exception_in_output_format',
  'enable_http_compression',
  'http_zlib_compression_level',
  'buffer_size',
  'compress',
  'decompress',
  'user',
  'password',
])

const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer | null> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > limit) return null
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

const readStatement = (url: URL, body: Buffer): Statement => {
  const parameters = new Map<string, string>()
  const settings = new Map<string, string>()
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value)
    else if (!TRANSPORT_PARAMETERS.has(name)) settings.set(name, value)
  }
  const inUrl = url.searchParams.get('query')
  const text = inUrl ?? body.toString('utf8')
  return {
    sql: parameters.size === 0 ? text : substituteParameters(text, parameters),
    format: url.searchParams.get('default_format') ?? 'TabSeparated',
    settings,
    rows: inUrl === null || body.length === 0 ? null : body,
  }
}

const fail = (response: ServerResponse, status: number, message: string): void => {
  const code = /Code: (\d+)/.exec(message)?.[1]
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    ...(code === undefined ? {} : { 'X-ClickHouse-Exception-Code': code }),
  })
  response.end(`${message}\n`)
}

const summaryOf = (result: StatementResult): string =>
  JSON.stringify({
    read_rows: String(result.readRows),
    read_bytes: String(result.readBytes),
    written_rows: String(result.writtenRows),
    written_bytes: String(result.writtenBytes),
    total_rows_to_read: '0',
    result_rows: '0',
    result_bytes: String(result.body.byteLength),
    elapsed_ns: String(Math.round(result.elapsedSeconds * 1e9)),
  })

/** @param alive resolves (or rejects) when the engine gave a sign of life: the answer to `/ping` waits for it */
export const createHttpInterface = (
  execute: Execute,
  alive: () => Promise<void>,
  limits: HttpInterfaceLimits,
): Server => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://engine')
    if (url.pathname === '/ping') {
      await alive()
      response.end('Ok.\n')
      return
    }
    const body = await readBody(request, limits.bodyBytes)
    if (body === null) {
      fail(
        response,
        413,
        `Code: 241. DB::Exception: The request exceeds ${limits.bodyBytes} bytes. (MEMORY_LIMIT_EXCEEDED)`,
      )
      return
    }
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const statement = readStatement(url, body)
    const result = await execute(statement, gone.signal)
    response.writeHead(200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': result.body.byteLength,
      'X-ClickHouse-Format': statement.format,
      'X-ClickHouse-Query-Id': url.searchParams.get('query_id') ?? '',
      'X-ClickHouse-Summary': summaryOf(result),
    })
    response.end(result.body)
  }
  const server = createServer({ maxHeaderSize: limits.headerBytes, keepAlive: true }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) {
        response.destroy()
        return
      }
      const message = messageOf(error)
      fail(response, error instanceof UnknownParameterError ? 400 : 500, message)
    })
  })
  // Idle connections are the clients' to close: one that is closed from here races with their next request.
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  return server
}

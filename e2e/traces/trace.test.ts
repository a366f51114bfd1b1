import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import type { Trace, TransactionSummary } from '@firsthand/contract'
import { SPAN_FLAGS } from '@firsthand/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setUpAnother } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { serveTracedPages } from './traced-pages.ts'
import { startOpenTelemetryService } from './opentelemetry-service.ts'

const ORGANIZATION = 'trace-of-many'

/** The first is called, and calls the next. SDK 11 sends streams of spans, the others transactions. */
const SERVICES = ['sentry-node-11', 'sentry-node-10', 'sentry-node-9', 'sentry-node-8'] as const
/** A page that asks the first service, and a frame that the last one made for it. */
const PAGE = 'sentry-browser-11'
const FRAME = 'sentry-browser-8'
const OPENTELEMETRY = 'opentelemetry'

interface Service {
  readonly process: ChildProcess
  readonly url: string
}

const startService = async (alias: string, dsn: string, behind: readonly string[]): Promise<Service> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'trace-app.cjs'), alias, dsn, ...behind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout }))
    return { process: child, url: `http://127.0.0.1:${line}` }
  throw new Error(`The service with ${alias} ended before it listened.`)
}

/** Unmodified SDKs of two pages and of four services, and a service of OpenTelemetry, each with a project of its own. */
describe('a trace through pages and services', () => {
  let server: SharedServer
  let browser: Browser
  const services: Service[] = []
  let pages: Awaited<ReturnType<typeof serveTracedPages>>
  let opentelemetry: Awaited<ReturnType<typeof startOpenTelemetryService>>
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    const dsnOf = async (project: string): Promise<string> =>
      (await setUpAnother(server, { ...server.owner, organization: ORGANIZATION, project })).dsn
    opentelemetry = await startOpenTelemetryService(await dsnOf(OPENTELEMETRY))
    let behind: readonly string[] = []
    for (const alias of SERVICES.toReversed()) {
      if (alias === SERVICES[0]) behind = [...behind, opentelemetry.url]
      const service = await startService(alias, await dsnOf(alias), behind)
      services.unshift(service)
      behind = [service.url]
    }
    const [page, frame] = [
      { sdk: PAGE, dsn: await dsnOf(PAGE) },
      { sdk: FRAME, dsn: await dsnOf(FRAME) },
    ]
    pages = await serveTracedPages({ page, frame }, services[0]?.url ?? '')
    const visitor = await openPage(browser)
    await visitor.page.goto(pages.url)
  })
  afterAll(async () => {
    for (const service of services) service.process.kill('SIGKILL')
    pages.close()
    await opentelemetry.close()
    await closePages(browser)
  })

  const findTrace = async (): Promise<Trace> => {
    const api = apiOf(server)
    const issue = await api.issue('no stock in sentry-node-8')
    const event = await api.latestEvent(issue.id)
    const id = String(event.contexts['trace']?.['trace_id'])
    return until('a trace with the segments of all', async () => {
      const trace = await api.get<Trace>(`/organizations/${ORGANIZATION}/traces/${id}/`).catch(() => null)
      return trace !== null && segmentsOf(trace).length === SERVICES.length + 3 ? trace : null
    })
  }
  const segmentsOf = ({ spans }: Trace): number[] =>
    spans.id.flatMap((_, place) => ((spans.flags[place] ?? 0) & SPAN_FLAGS.segment ? [place] : []))

  it('T1, T2, T54: is one waterfall with the right parents', async () => {
    const trace = await findTrace()
    const { spans, words, projects, errors, truncated } = trace
    expect(truncated).toBe(false)
    const said = (place = -1) => [projects[spans.project[place] ?? -1]?.slug, words[spans.op[place] ?? -1]]
    const segments = segmentsOf(trace)
    // Each service is called from a request of the one before; the frame goes on with the answer of the last.
    const placed = segments.map((place) => [...said(place), 'below', ...said(spans.parent[place])])
    expect(placed).toEqual([
      [PAGE, 'pageload', 'below', undefined, undefined],
      ['sentry-node-11', 'http.server', 'below', PAGE, 'http.client'],
      ['sentry-node-10', 'http.server', 'below', 'sentry-node-11', 'http.client'],
      ['sentry-node-9', 'http.server', 'below', 'sentry-node-10', 'http.client'],
      ['sentry-node-8', 'http.server', 'below', 'sentry-node-9', 'http.client'],
      [FRAME, 'pageload', 'below', 'sentry-node-8', 'http.server'],
      [OPENTELEMETRY, 'http.server', 'below', 'sentry-node-11', 'http.client'],
    ])
    // The database was asked in each, below its transaction, which all of its spans are named after.
    const queries = spans.id.flatMap((_, place) => (words[spans.op[place] ?? 0] === 'db' ? [place] : []))
    expect(queries.map((place) => words[spans.name[place] ?? 0])).toEqual([
      ...SERVICES.map(() => 'SELECT * FROM orders WHERE id = 42'),
      'SELECT stock',
    ])
    const asking = segments.filter((place) => words[spans.op[place] ?? 0] === 'http.server')
    expect(queries.map((place) => spans.parent[place])).toEqual(asking)
    expect(queries.map((place) => words[spans.transaction[place] ?? 0])).toEqual(
      asking.map((place) => words[spans.transaction[place] ?? 0]),
    )
    expect(spans.flags.some((flags) => (flags & (SPAN_FLAGS.orphan | SPAN_FLAGS.cycle)) !== 0)).toBe(false)
    expect(errors.map(({ title }) => title)).toEqual(['Error: no stock in sentry-node-8'])
    const last = segments[SERVICES.indexOf('sentry-node-8') + 1] ?? -1
    expect(spans.id.slice(last, segments.at(-2))).toContain(errors[0]?.spanId)
  })

  it('T24: names of transactions have no ids in them', async () => {
    await findTrace()
    const transactions = await until('the transactions of all', async () => {
      const answer = await apiOf(server).get<{ transactions: TransactionSummary[] }>(
        `/organizations/${ORGANIZATION}/transactions/?sort=transaction`,
      )
      return answer.transactions.length === SERVICES.length + 3 ? answer.transactions : null
    })
    const found = transactions.map(({ count, projectSlug, transaction }) => [projectSlug, transaction, count])
    expect(found.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
      [OPENTELEMETRY, 'GET /stock/{id}', 1],
      ['sentry-browser-11', '/', 1],
      ['sentry-browser-8', 'srcdoc', 1],
      ['sentry-node-10', 'GET /stock/*', 1],
      ['sentry-node-11', 'GET /orders/*', 1],
      ['sentry-node-8', 'GET /stock/*', 1],
      ['sentry-node-9', 'GET /stock/*', 1],
    ])
    // Each service waits for its database.
    const waited = SERVICES.map((service) => transactions.find(({ projectSlug }) => projectSlug === service)?.p50 ?? 0)
    expect(Math.min(...waited)).toBeGreaterThanOrEqual(20)
  })
})

import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import type { Trace, TransactionSummary } from '@firsthand/contract'
import { SPAN_FLAGS } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setUpAnother } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'traces'

/** The first is called, and calls the next. SDK 11 sends streams of spans, the others transactions. */
const SERVICES = ['sentry-node-11', 'sentry-node-10', 'sentry-node-9', 'sentry-node-8'] as const

interface Service {
  readonly process: ChildProcess
  readonly url: string
}

const startService = async (alias: string, dsn: string, next: string): Promise<Service> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'trace-app.cjs'), alias, dsn, next], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout }))
    return { process: child, url: `http://127.0.0.1:${line}` }
  throw new Error(`The service with ${alias} ended before it listened.`)
}

/** Unmodified SDKs of four generations, each in a service of its own, with a project of its own. */
describe('a trace through several services', () => {
  let server: SharedServer
  const services: Service[] = []
  beforeAll(async () => {
    server = await joinServer(ORGANIZATION)
    let next = '-'
    for (const alias of SERVICES.toReversed()) {
      const { dsn } = await setUpAnother(server, { ...server.owner, organization: ORGANIZATION, project: alias })
      const service = await startService(alias, dsn, next)
      services.unshift(service)
      next = service.url
    }
    const answer = await fetch(`${services[0]?.url}/orders/42?secret=1`)
    const text = await answer.text()
    if (text !== 'ok') throw new Error(`The services failed: ${answer.status} ${text}`)
  })
  afterAll(() => {
    for (const service of services) service.process.kill('SIGKILL')
  })

  const findTrace = async (): Promise<Trace> => {
    const api = apiOf(server)
    const issue = await api.issue('no stock in sentry-node-8')
    const event = await api.latestEvent(issue.id)
    const id = String(event.contexts['trace']?.['trace_id'])
    return until('a trace with the spans of all services', async () => {
      const trace = await api.get<Trace>(`/organizations/${ORGANIZATION}/traces/${id}/`).catch(() => null)
      return trace !== null && trace.projects.length === SERVICES.length && trace.spans.id.length >= 11 ? trace : null
    })
  }

  it('T1, T2, T54: is one waterfall with the right parents', async () => {
    const { spans, words, projects, errors, truncated } = await findTrace()
    expect(truncated).toBe(false)
    const segments = spans.id.flatMap((_, place) => ((spans.flags[place] ?? 0) & SPAN_FLAGS.segment ? [place] : []))
    expect(segments.map((place) => projects[spans.project[place] ?? 0]?.slug)).toEqual([...SERVICES])
    expect(segments.map((place) => words[spans.op[place] ?? 0])).toEqual(SERVICES.map(() => 'http.server'))
    // Each service is called from a request of the one before.
    const callers = segments.slice(1).map((place) => spans.parent[place] ?? -1)
    expect(callers.map((place) => words[spans.op[place] ?? 0])).toEqual(callers.map(() => 'http.client'))
    expect(callers.map((place) => projects[spans.project[place] ?? 0]?.slug)).toEqual(SERVICES.slice(0, -1))
    // The database was asked in each, below its transaction, which all of its spans are named after.
    const queries = spans.id.flatMap((_, place) => (words[spans.op[place] ?? 0] === 'db' ? [place] : []))
    expect(queries.map((place) => words[spans.name[place] ?? 0])).toEqual(
      SERVICES.map(() => 'SELECT * FROM orders WHERE id = 42'),
    )
    expect(queries.map((place) => spans.parent[place])).toEqual(segments)
    expect(queries.map((place) => words[spans.transaction[place] ?? 0])).toEqual(
      segments.map((place) => words[spans.transaction[place] ?? 0]),
    )
    expect(spans.flags.some((flags) => (flags & (SPAN_FLAGS.orphan | SPAN_FLAGS.cycle)) !== 0)).toBe(false)
    expect(errors.map(({ title }) => title)).toEqual(['Error: no stock in sentry-node-8'])
    const last = segments.at(-1) ?? -1
    expect(spans.id.slice(last)).toContain(errors[0]?.spanId)
  })

  it('T24: names of transactions have no ids in them', async () => {
    await findTrace()
    const { transactions } = await apiOf(server).get<{ transactions: TransactionSummary[] }>(
      `/organizations/${ORGANIZATION}/transactions/?sort=transaction`,
    )
    const names = new Map(transactions.map(({ projectSlug, transaction }) => [projectSlug, transaction]))
    expect(SERVICES.map((service) => names.get(service))).toEqual([
      'GET /orders/*',
      'GET /stock/*',
      'GET /stock/*',
      'GET /stock/*',
    ])
    expect(transactions.every(({ count, p50 }) => count === 1 && p50 >= 20)).toBe(true)
  })
})

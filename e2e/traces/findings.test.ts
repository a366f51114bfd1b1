import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ApiEvent, FindingSettings, Issue } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'findings'

type Json = Readonly<Record<string, unknown>>
interface Node extends Json {
  readonly children: readonly Node[]
  readonly occurrences: readonly Json[]
}

const nodesOf = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...nodesOf(node.children)])

/** An unmodified SDK in a service that asks its database once for each row. */
describe('a problem that spans show', () => {
  let server: SharedServer
  let service: ChildProcess | null = null
  let url = ''
  beforeAll(async () => {
    server = await joinServer(ORGANIZATION)
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'findings-app.cjs'), 'sentry-node-10', server.account.dsn],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    service = child
    for await (const port of createInterface({ input: child.stdout })) {
      // Three times: before that it is no issue.
      url = `http://127.0.0.1:${port}/orders`
      await Promise.all([17, 18, 19].map((order) => fetch(`${url}/${order}`)))
      return
    }
  })
  afterAll(() => service?.kill('SIGKILL'))

  const findIssue = (): Promise<Issue> =>
    until('an issue of queries', async () => {
      const path = `/organizations/${ORGANIZATION}/issues/?query=${encodeURIComponent('issue.category:performance')}`
      const [issue] = await apiOf(server).get<Issue[]>(path)
      return issue ?? null
    })

  it('T87: is one issue whatever ids it had, in the words of Sentry’s clients', async () => {
    const issue = await findIssue()
    expect(issue).toMatchObject({
      issueCategory: 'performance',
      issueType: 'performance_n_plus_one_db_queries',
      type: 'generic',
      culprit: 'GET /orders/*',
      title: 'N+1 database queries: SELECT .. FROM items WHERE order_id = %s AND place = %s',
      level: 'info',
      status: 'unresolved',
    })
    const event = (await apiOf(server).latestEvent(issue.id)) as unknown as ApiEvent
    expect(event.occurrence).toMatchObject({
      type: 1006,
      issueTitle: 'N+1 database queries',
      evidenceData: { transactionName: 'GET /orders/*', numberRepeatingSpans: '6' },
    })
    const byType = await apiOf(server).issues('issue.type:performance_n_plus_one_db_queries')
    expect(byType.map(({ id }) => id)).toEqual([issue.id])
    expect(await apiOf(server).issues('issue.category:error')).toEqual([])
    // It is none of the errors.
    const path = `/organizations/${ORGANIZATION}/events/?dataset=errors&field=count()&statsPeriod=1d`
    const { data } = await apiOf(server).get<{ data: readonly Json[] }>(path)
    expect(data.map((row) => row['count()'])).toEqual([0])
  })

  it('T88: its evidence names spans of the trace, which has it where they are', async () => {
    const issue = await findIssue()
    const event = (await apiOf(server).latestEvent(issue.id)) as unknown as ApiEvent
    const traceId = String(event.contexts['trace']?.['trace_id'])
    const roots = await apiOf(server).get<Node[]>(`/organizations/${ORGANIZATION}/trace/${traceId}/`)
    const nodes = nodesOf(roots)
    const offenders = event.occurrence?.evidenceData['offenderSpanIds']
    const queries = nodes.filter(({ description }) => String(description).includes('FROM items'))
    expect(offenders).toEqual(queries.map((node) => node['event_id']))
    const [root] = roots
    expect(root?.occurrences).toMatchObject([
      { event_type: 'occurrence', issue_id: Number(issue.id), short_id: issue.shortId },
    ])
    const meta = await apiOf(server).get<Json>(`/organizations/${ORGANIZATION}/trace-meta/${traceId}/`)
    expect(meta).toMatchObject({ performance_issues: 1, errors: 0 })
  })

  it('T88: leads from the stream to its evidence, and on to the waterfall, where its spans are marked', async () => {
    const issue = await findIssue()
    const browser = await joinBrowser()
    const { page, complaints } = await openPage(browser, await signIn(server))
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues?query=issue.category:performance`)
    await page.getByRole('link', { name: /N\+1 database queries/ }).click()
    await page.getByText('6 queries alike ran after one that gave their rows').waitFor()
    await page.getByRole('link', { name: 'Show in the trace' }).click()
    const marked = page.getByRole('row').filter({ hasText: issue.shortId })
    await eventually(() => marked.count()).toBe(1)
    expect(await marked.textContent()).toContain('part of N+1 database queries')
    await marked.getByText('FROM items').first().click()
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByText(/^N\+1 database queries: .* is about this and others, 6 spans together\.$/)
      .waitFor()
    expect(complaints.list).toEqual([])
    await closePages(browser)
  })

  it('T89: the settings have every rule; what is told by hours and not by a trace is an issue at once', async () => {
    const path = `/projects/${ORGANIZATION}/${server.account.project}/finding-settings/`
    const { detectors } = await apiOf(server).get<FindingSettings>(path)
    expect(detectors.filter(({ perTrace }) => !perTrace)).toMatchObject([
      { id: 'slower_transaction', type: 'performance_p95_endpoint_regression', enabled: true, seen: 1 },
    ])
    const save = (change: Json): Promise<Response> =>
      fetch(`http://127.0.0.1:${server.port}/api/0${path}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ mutes: [], detectors: [{ id: 'slower_transaction', ...change }] }),
      })
    const refused = await save({ seen: 2 })
    expect([refused.status, await refused.json()]).toMatchObject([400, { detail: expect.stringContaining('at once') }])
    const saved = await save({ seen: 1, thresholds: { increase: 50 } })
    expect([saved.status, await saved.json()]).toMatchObject([
      200,
      { detectors: expect.arrayContaining([expect.objectContaining({ id: 'slower_transaction', seen: 1 })]) },
    ])
  })

  it('T91: it is resolved in bulk as an error is, and regresses when it is seen again', async () => {
    const issue = await findIssue()
    const api = `http://127.0.0.1:${server.port}/api/0/organizations/${ORGANIZATION}/issues/`
    const answer = await fetch(`${api}?id=${issue.id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'resolved' }),
    })
    expect(answer.status).toBe(200)
    expect(await apiOf(server).issues('is:resolved issue.category:performance')).toHaveLength(1)
    await fetch(`${url}/20`)
    const again = await until('the issue to come back', async () => {
      const one = await apiOf(server).get<Issue>(`/organizations/${ORGANIZATION}/issues/${issue.id}/`)
      return one.status === 'resolved' ? null : one
    })
    expect(again).toMatchObject({ status: 'unresolved', substatus: 'regressed' })
  })
})

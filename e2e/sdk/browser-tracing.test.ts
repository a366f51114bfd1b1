import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Span, Trace, TransactionSummary } from '@firsthand/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setUpAnother } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { launchBrowser, openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'browser-tracing'

const startSite = async (
  dsn: string,
  script: string,
  policy: string,
): Promise<{ child: ChildProcess; url: string }> => {
  const app = join(import.meta.dirname, 'traced-site.cjs')
  const child = spawn(process.execPath, [app, 'sentry-node-11', dsn, script, policy], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) return { child, url: `http://127.0.0.1:${line}/` }
  throw new Error('The site ended before it listened.')
}

/** `<trace>-<span>-<decision>` of the page as it is now. */
const traceOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { getTraceData } = Reflect.get(window, 'Firsthand') as { getTraceData?: () => Record<string, string> }
    return getTraceData?.()['sentry-trace'] ?? ''
  })

describe('traces of pages', () => {
  let server: SharedServer
  let browser: Browser
  let site: Awaited<ReturnType<typeof startSite>>
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    const origin = `http://127.0.0.1:${server.port}`
    const { dsn } = await setUpAnother(server, { ...server.owner, organization: ORGANIZATION, project: 'server' })
    site = await startSite(
      dsn,
      `<script src="${origin}/sdk.js" data-dsn="${server.account.dsn}" data-release="page@1" data-traces-sample-rate="%RATE%"></script>`,
      `default-src 'none'; script-src 'self' ${origin}; connect-src 'self' ${origin}; img-src data:; require-trusted-types-for 'script'`,
    )
  })
  afterAll(async () => {
    site.child.kill('SIGKILL')
    await closePages(browser)
  })

  const spansOf = async (id: string, words: readonly string[]) => {
    const api = apiOf(server)
    const trace = await until(`a trace with ${words.join(', ')}`, async () => {
      const found = await api.get<Trace>(`/organizations/${ORGANIZATION}/traces/${id}/`).catch(() => null)
      const ops = new Set(found?.spans.op.map((word) => found.words[word]))
      return found !== null && words.every((word) => ops.has(word)) ? found : null
    })
    const { spans, words: texts, projects } = trace
    return spans.id.map((spanId, place) => ({
      id: spanId,
      op: texts[spans.op[place] ?? 0],
      name: texts[spans.name[place] ?? 0],
      project: projects[spans.project[place] ?? 0]?.slug,
      parent: spans.id[spans.parent[place] ?? -1],
    }))
  }

  it('T54, T99, T103: a page and its server are one waterfall, with vitals, under a strict policy, also when the tab is closed', async () => {
    const { page, complaints, close } = await openPage(browser)
    await page.goto(`${site.url}?rate=1`)
    await eventually(() => traceOf(page)).toMatch(/-1$/)
    const [loaded = '', root = ''] = (await traceOf(page)).split('-')
    await page.click('#stock')
    await eventually(() => page.title()).toBe('in stock')
    await page.click('#basket')
    // A navigation is a trace of its own.
    await eventually(() => traceOf(page)).not.toContain(loaded)
    const [gone = ''] = (await traceOf(page)).split('-')
    expect(complaints.list).toEqual([])
    await page.close()

    const spans = await spansOf(loaded, [
      'pageload',
      'http.client',
      'http.server',
      'db',
      'ui.webvital.lcp',
      'ui.webvital.cls',
    ])
    const of = (op: string) => spans.filter((span) => span.op === op)
    expect(of('pageload').map(({ id, project }) => [id, project])).toEqual([[root, 'shop']])
    const [request] = of('http.client')
    expect(request).toMatchObject({ project: 'shop', parent: root, name: `GET ${site.url}stock/17` })
    const [answer] = of('http.server')
    expect(answer).toMatchObject({ project: 'server', parent: request?.id })
    expect(of('db')).toMatchObject([{ project: 'server', parent: answer?.id }])
    expect(of('resource.script').length).toBeGreaterThan(0)
    expect(of('browser.request')).toMatchObject([{ parent: root }])

    // The browser tells of the click that waited when it likes: in this view, or in the next one.
    const later = await spansOf(gone, ['navigation'])
    const clicks = [...spans, ...later].filter(({ op }) => op === 'ui.interaction.click')
    expect(clicks.length).toBeGreaterThan(0)
    const names = await until('both views by their names', async () => {
      const { transactions } = await apiOf(server).get<{ transactions: TransactionSummary[] }>(
        `/organizations/${ORGANIZATION}/transactions/?sort=transaction`,
      )
      const found = transactions
        .filter(({ projectSlug }) => projectSlug === 'shop')
        .map(({ transaction }) => transaction)
      return found.length >= 2 ? found : null
    })
    expect(names).toEqual(['/', '/basket/*'])
    await close()
  })

  it('T98 a page that comes back from the back/forward cache is one view more, in a trace of its own', async () => {
    const keeping = await launchBrowser({ keepsPages: true })
    try {
      const { page, complaints } = await openPage(keeping)
      // Whether a page is kept is for the browser to say.
      const loaded = await until('a page that was kept', async () => {
        await page.goto(`${site.url}?rate=1`)
        await eventually(() => traceOf(page)).toMatch(/-1$/)
        const trace = await traceOf(page)
        await page.evaluate(() => Reflect.set(window, 'isKept', true))
        await page.goto(`${site.url}stock/17`)
        await page.evaluate(() => history.back())
        // Such a page is not loaded, which is what a wait for its address would wait for.
        await eventually(() => page.title()).toBe('A shop')
        return (await page.evaluate(() => Reflect.has(window, 'isKept'))) ? trace : null
      })
      const [id = '', root = ''] = loaded.split('-')
      await eventually(() => traceOf(page)).not.toContain(id)
      const [back = ''] = (await traceOf(page)).split('-')
      expect(complaints.list).toEqual([])
      await page.close()

      const of = (spans: Awaited<ReturnType<typeof spansOf>>, ops: readonly string[]) =>
        spans.filter(({ op }) => ops.includes(op ?? '')).map(({ id: span, op }) => [span, op])
      const views = ['pageload', 'navigation']
      expect(of(await spansOf(id, ['pageload']), views)).toEqual([[root, 'pageload']])
      const returned = of(await spansOf(back, ['navigation']), views)
      expect(returned).toEqual([[expect.any(String), 'navigation']])
      const { attributes } = await apiOf(server).get<Span>(
        `/organizations/${ORGANIZATION}/traces/${back}/spans/${returned[0]?.[0]}/`,
      )
      expect(attributes).toContainEqual(
        expect.objectContaining({ name: 'browser.navigation.type', value: 'back-forward-cache' }),
      )
    } finally {
      await keeping.close()
    }
  })

  it('T101: with a rate of 0 the page reports its errors with the trace of the page, and no span of its own', async () => {
    const { page, close } = await openPage(browser, {}, [/broken in a trace/])
    await page.goto(`${site.url}?rate=0`)
    await eventually(() => traceOf(page)).toMatch(/-0$/)
    const [id] = (await traceOf(page)).split('-')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/envelope/')) sent.push(request.postData() ?? '')
    })
    await page.evaluate(
      () =>
        void setTimeout(() => {
          throw new Error('broken in a trace')
        }),
    )
    const api = apiOf(server)
    const event = await api.latestEvent((await api.issue('broken in a trace')).id)
    expect(event.contexts['trace']?.['trace_id']).toBe(id)
    expect(sent.join('\n')).toContain('broken in a trace')
    expect(sent.filter((body) => body.includes('"type":"span"'))).toEqual([])
    await close()
  })
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, setUpAnother, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, newEventId, sendEvents } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { newSpanId, newTraceId, sendTransaction, type SpanToSend } from '../lib/transactions.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'traces'
const QUERIES = 24
const LARGE = 3000

interface TraceJson {
  readonly spans: { readonly id: readonly string[] }
  readonly errors: readonly unknown[]
}

describe('the page of a trace', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  const traceId = newTraceId()
  const failedId = newSpanId()
  const [checkoutId, orderId] = [newEventId(), newEventId()]

  const stored = (trace: string, spans: number, errors: number) =>
    until(`a trace of ${spans} spans and ${errors} errors`, async () => {
      const answer = await fetch(`${originOf(server)}/api/0/organizations/${ORGANIZATION}/traces/${trace}/`, {
        headers: { authorization: `Bearer ${server.account.token}` },
      })
      if (answer.status === 404) return null
      if (!answer.ok) throw new Error(`the trace: ${answer.status} ${await answer.text()}`)
      const found = (await answer.json()) as TraceJson
      return found.spans.id.length === spans && found.errors.length === errors ? found : null
    })

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    const api = await setUpAnother(server, { ...server.owner, organization: ORGANIZATION, project: 'api' })
    const startMs = Date.now() - 60_000
    const callId = newSpanId()
    await sendTransaction(server.account.dsn, {
      traceId,
      startMs,
      eventId: checkoutId,
      root: {
        op: 'pageload',
        name: '/checkout',
        from: 0,
        to: 2000,
        children: [{ id: callId, op: 'http.client', name: 'POST /api/orders', from: 50, to: 1900 }],
      },
    })
    await sendTransaction(api.dsn, {
      traceId,
      startMs,
      parent: callId,
      eventId: orderId,
      root: {
        op: 'http.server',
        name: 'POST /api/orders',
        from: 60,
        to: 1880,
        children: [
          ...Array.from({ length: QUERIES }, (_, index) => ({
            op: 'db.sql.query',
            name: 'SELECT products',
            from: 70 + index * 10,
            to: 79 + index * 10,
          })),
          {
            id: failedId,
            op: 'http.client',
            name: 'POST pay.example/charges',
            from: 700,
            to: 1700,
            status: 'deadline_exceeded',
            data: { 'server.address': 'pay.example', 'http.request.method': 'POST' },
          },
        ],
      },
    })
    await sendTransaction(api.dsn, {
      traceId,
      startMs,
      parent: newSpanId(),
      root: { op: 'queue.process', name: 'process orders.placed', from: 1910, to: 1990 },
    })
    await sendEvents(api.dsn, [
      {
        ...errorEvent('TimeoutError', 'pay.example did not answer'),
        timestamp: (startMs + 1700) / 1000,
        contexts: { trace: { trace_id: traceId, span_id: failedId } },
      },
    ])
    signedIn = await signIn(server)
    await stored(traceId, QUERIES + 5, 1)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  const at = (trace: string) => `${originOf(server)}/organizations/${ORGANIZATION}/traces/${trace}`
  const treeOf = (page: Page) => page.getByRole('treegrid', { name: 'Spans' })
  const rowsOf = (page: Page) => treeOf(page).getByRole('row')
  const rowOf = (page: Page, name: string) => rowsOf(page).filter({ hasText: name }).first()
  const selected = (page: Page) => treeOf(page).locator('[role=row][aria-selected=true]')

  it('shows one waterfall over all services: alike spans folded, missing parents named, what failed and its error', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(at(traceId))
    await eventually(() => rowsOf(page).count()).toBe(7)
    await page.getByRole('heading', { name: '/checkout' }).waitFor()
    const fold = rowOf(page, 'SELECT products')
    await eventually(() => fold.textContent()).toContain(`${QUERIES}×`)
    expect(await fold.getAttribute('aria-expanded')).toBe('false')
    expect(await fold.getAttribute('aria-level')).toBe('4')
    expect(await rowOf(page, 'Parent is missing').getAttribute('aria-level')).toBe('1')
    expect(await rowOf(page, 'process orders.placed').getAttribute('aria-level')).toBe('2')
    const failed = rowOf(page, 'POST pay.example/charges')
    expect(await failed.textContent()).toContain('deadline exceeded')
    await failed.getByRole('link', { name: /API-1/ }).waitFor()
    await page.getByRole('complementary', { name: 'Details' }).getByText('TimeoutError').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('is where the id of a transaction’s event leads that is pasted into the palette, with the span selected', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const paste = async (id: string, name: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: 'Commands' })
      await palette.getByRole('combobox').fill(id)
      await palette.getByRole('option', { name: `Open transaction ${name}` }).click()
      await palette.waitFor({ state: 'detached' })
      await eventually(() => selected(page).textContent()).toContain(name)
      const details = page.getByRole('complementary', { name: 'Details' })
      await eventually(() => details.textContent()).toContain(id)
    }
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/traces`)
    await page.getByRole('heading', { name: 'Traces' }).waitFor()
    await paste(orderId, 'POST /api/orders')
    // On the page of the same trace, too, and where another span was selected since.
    await paste(checkoutId, '/checkout')
    const before = page.url()
    await rowOf(page, 'process orders.placed').click()
    await eventually(() => selected(page).textContent()).toContain('process orders.placed')
    await eventually(() => page.url()).not.toBe(before)
    await paste(checkoutId, '/checkout')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('is where addresses of Sentry’s console lead, with the organisation and without it', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    for (const place of [`/organizations/${ORGANIZATION}`, '']) {
      await page.goto(`${originOf(server)}${place}/performance/api:${orderId}/`)
      await eventually(() => selected(page).textContent()).toContain('POST /api/orders')
      expect(page.url()).toContain(`/organizations/${ORGANIZATION}/traces/${traceId}?span=`)
    }
    for (const place of ['explore/traces/trace', 'performance/trace']) {
      await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/${place}/${traceId}/`)
      await eventually(() => page.url()).toContain(`/organizations/${ORGANIZATION}/traces/${traceId}`)
      await rowOf(page, '/checkout').waitFor()
    }
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/performance/api:${newEventId()}/`)
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('is used by keyboard alone: rows, folding, search with its hits, details', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(at(traceId))
    await rowOf(page, '/checkout').waitFor()
    await page.keyboard.press('j')
    await eventually(() => selected(page).textContent()).toContain('/checkout')
    await page.keyboard.press('ArrowLeft')
    await eventually(() => selected(page).getAttribute('aria-expanded')).toBe('false')
    await eventually(() => rowsOf(page).count()).toBe(3)
    await page.keyboard.press('ArrowRight')
    await eventually(() => rowsOf(page).count()).toBe(7)
    await page.keyboard.press('/')
    const field = page.getByRole('textbox', { name: 'Search spans' })
    await eventually(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('products')
    await eventually(() => page.getByRole('search').textContent()).toContain(`${QUERIES}`)
    await page.keyboard.press('Enter')
    await eventually(() => page.getByRole('search').textContent()).toContain(`1 of ${QUERIES}`)
    await eventually(() => rowsOf(page).count()).toBe(7 + QUERIES)
    await page.keyboard.press('Enter')
    await eventually(() => page.getByRole('search').textContent()).toContain(`2 of ${QUERIES}`)
    await eventually(() => new URL(page.url()).searchParams.get('query')).toBe('products')
    await page.keyboard.press('Escape')
    await eventually(() => field.evaluate((element) => element === document.activeElement)).toBe(false)
    await page.keyboard.press('e')
    await eventually(() => selected(page).textContent()).toContain('POST pay.example/charges')
    await page.keyboard.press('Enter')
    const details = page.getByRole('complementary', { name: 'Details' })
    await eventually(() => details.evaluate((element) => element === document.activeElement)).toBe(true)
    await details.getByText('server.address').waitFor()
    await eventually(() => new URL(page.url()).searchParams.get('span')).toBe(failedId)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('has the keys of a tree also for those who have switched single keys off', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.addInitScript(() => localStorage.setItem('firsthand:single-key-shortcuts', 'off'))
    await page.goto(at(traceId))
    await rowOf(page, '/checkout').waitFor()
    await treeOf(page).focus()
    await page.keyboard.press('ArrowDown')
    await eventually(() => selected(page).textContent()).toContain('/checkout')
    await page.keyboard.press('ArrowDown')
    await eventually(() => selected(page).textContent()).toContain('POST /api/orders')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('T66: comes closer where one drags in the small picture, and the address says so', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(at(traceId))
    await rowOf(page, '/checkout').waitFor()
    const small = page.getByRole('slider', { name: 'Part of the trace that is shown' })
    const box = await small.boundingBox()
    if (box === null) throw new Error('the small picture has no box')
    await page.mouse.move(box.x + box.width * 0.25, box.y + 8)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 8, { steps: 4 })
    await page.mouse.up()
    const share = (name: string) => Number(new URL(page.url()).searchParams.get(name))
    await eventually(() => Math.abs(share('from') - 500)).toBeLessThan(20)
    await eventually(() => Math.abs(share('to') - 1000)).toBeLessThan(20)
    await eventually(() => rowOf(page, 'process orders.placed').textContent()).toContain('later')
    await page.reload()
    await eventually(() => rowOf(page, 'process orders.placed').textContent()).toContain('later')
    await page.getByRole('button', { name: 'Whole trace' }).click()
    await eventually(() => new URL(page.url()).search).toBe('')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('T61: a parent that arrives while the trace is open takes its place, and what is selected stays so', async () => {
    const growing = newTraceId()
    const parent = newSpanId()
    const startMs = Date.now() - 5000
    const child = { op: 'http.server', name: 'GET /stock', from: 100, to: 400 }
    await sendTransaction(server.account.dsn, { traceId: growing, startMs, parent, root: child })
    await stored(growing, 1, 0)
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(at(growing))
    await rowOf(page, 'Parent is missing').waitFor()
    await rowOf(page, 'GET /stock').click()
    await eventually(() => selected(page).textContent()).toContain('GET /stock')
    const root = { id: parent, op: 'http.client', name: 'GET shop.example/stock', from: 0, to: 500 }
    await sendTransaction(server.account.dsn, { traceId: growing, startMs, root })
    await rowOf(page, 'GET shop.example/stock').waitFor()
    await eventually(() => rowOf(page, 'Parent is missing').count()).toBe(0)
    expect(await selected(page).textContent()).toContain('GET /stock')
    expect(await selected(page).getAttribute('aria-level')).toBe('2')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('leads to the issue of an error, and one key leads back to its span', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(at(traceId))
    await rowOf(page, 'POST pay.example/charges').getByRole('link', { name: /API-1/ }).click()
    await page.getByRole('region', { name: 'Event' }).getByRole('link', { name: 'Trace' }).waitFor()
    await page.keyboard.press('t')
    await eventually(() => selected(page).textContent()).toContain('POST pay.example/charges')
    await eventually(() => new URL(page.url()).pathname).toMatch(new RegExp(`/traces/${traceId}$`))
    expect(complaints.list).toEqual([])
    await close()
  })

  it('says what it means that nothing is known of a trace, and shows one of errors alone', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, [/status of 404/])
    await page.goto(at('0'.repeat(32)))
    await page.getByText('Nothing is known of this trace').waitFor()
    const lonely = newTraceId()
    await sendEvents(server.account.dsn, [
      { ...errorEvent('LonelyError', 'no spans'), contexts: { trace: { trace_id: lonely, span_id: newSpanId() } } },
    ])
    await stored(lonely, 0, 1)
    await page.goto(at(lonely))
    await page.getByRole('complementary', { name: 'Details' }).getByText('LonelyError').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('T57: of thousands of rows only those in sight exist, to the last', async () => {
    const large = newTraceId()
    const children = (part: number): SpanToSend[] =>
      Array.from({ length: LARGE / 6 - 1 }, (_, index) => ({
        op: 'function',
        name: `step ${part}.${index}`,
        from: index,
        to: index + 1,
      }))
    for (let part = 0; part < 6; part += 1)
      await sendTransaction(server.account.dsn, {
        traceId: large,
        startMs: Date.now() - 30_000,
        root: { op: 'job', name: `part ${part}`, from: 0, to: LARGE, children: children(part) },
      })
    await stored(large, LARGE, 0)
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(at(large))
    await rowsOf(page).first().waitFor()
    expect(await treeOf(page).getAttribute('aria-rowcount')).toBe(String(LARGE))
    await eventually(() => rowsOf(page).count()).toBeLessThanOrEqual(200)
    await page.keyboard.press('End')
    await eventually(() => selected(page).getAttribute('aria-rowindex')).toBe(String(LARGE))
    await eventually(() => selected(page).isVisible()).toBe(true)
    expect(await rowsOf(page).count()).toBeLessThanOrEqual(200)
    await page.keyboard.press('Home')
    await eventually(() => selected(page).getAttribute('aria-rowindex')).toBe('1')
    expect(complaints.list).toEqual([])
    await close()
  })
})

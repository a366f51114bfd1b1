import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvents } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { newTraceId, sendTransaction } from '../lib/transactions.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'performance'

/** A service of a user with an unmodified SDK. */
const SERVICE = (dsn: string): string => `
  const Sentry = require('sentry-node-11')
  Sentry.init({ dsn: ${JSON.stringify(dsn)}, tracesSampleRate: 1, environment: 'production' })
  Sentry.startSpan({ name: 'GET /from-the-sdk', op: 'http.server' }, () =>
    Sentry.startSpan({ name: 'SELECT carts', op: 'db.sql.query' }, () => undefined),
  )
  Sentry.flush(10000).then(() => process.exit(0))
`

describe('performance', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  const list = () => `${originOf(server)}/organizations/${ORGANIZATION}/performance`
  const tableOf = (page: Page) => page.getByRole('table', { name: 'Transactions' })
  const names = (page: Page) => tableOf(page).getByRole('link').allTextContents()

  it('says how tracing is switched on while there is nothing, with the real DSN', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues`)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Performance' }).click()
    await page.getByText('tracesSampleRate: 1.0').waitFor()
    await page.getByText(server.account.dsn).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  /** All of them stand above the list while none is looked for. */
  const allOf = (page: Page) => page.getByRole('list', { name: 'All transactions' })
  const showsAll = async (page: Page): Promise<void> => {
    const all = allOf(page)
    await all.getByRole('slider', { name: 'p95 duration over time' }).waitFor()
    await eventually(() => all.textContent()).toMatch(/^[\d.]+ \/d throughput.*\d% failed.*\d ms p95 duration/)
    await eventually(() => all.getByText('No values in this time').count()).toBe(0)
  }

  /** By words, by what is refused, by what nothing is called, by a filter; then for all again. */
  const searches = async (page: Page, order: () => Promise<readonly string[]>): Promise<void> => {
    await page.keyboard.press('/')
    const focused = () => page.locator(':focus')
    await eventually(() => focused().getAttribute('aria-label')).toBe('Search transactions')
    await focused().fill('SEARCH')
    await focused().press('Enter')
    await eventually(order).toEqual(['GET /search'])
    // The charts are about what is found.
    await eventually(() => allOf(page).textContent()).toContain('25% failed')
    const field = page.getByRole('combobox', { name: 'Search transactions' })
    await field.fill('p95():>1s')
    await field.press('Enter')
    await page.getByText('This search is not valid').waitFor()
    // What is too long is refused, not cut.
    await field.fill('x'.repeat(2001))
    await field.press('Enter')
    await page.getByText('The search is longer than 2000 characters. Shorten it.').waitFor()
    await field.fill('op:http.server')
    await field.press('Enter')
    await page.getByText('No transaction matches').waitFor()
    await page.getByText('Did you mean span.op?').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear the search' }).last().click()
    await eventually(async () => (await names(page)).length).toBe(3)
    await page.getByRole('combobox', { name: 'Operations: All operations' }).click()
    await page.getByRole('option', { name: /http\.server/ }).click()
    await eventually(() => new URL(page.url()).searchParams.get('query')).toBe('span.op:http.server')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Operations: http.server' }).waitFor()
    await eventually(async () => (await names(page)).length).toBe(3)
    await field.fill('')
    await field.press('Enter')
    await eventually(() => new URL(page.url()).searchParams.get('query')).toBeNull()
    await field.press('Escape')
  }

  /** By keyboard: a menu that is just opening takes no click. @returns lines of cells, the head first */
  const csvOf = async (page: Page, things: string): Promise<readonly (readonly string[])[]> => {
    await page.getByRole('button', { name: `Export ${things}` }).press('Enter')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).press('Enter'),
    ])
    const text = await readFile(await file.path(), 'utf8')
    return text.split('\r\n').flatMap((line) => (line === '' ? [] : [line.split(',')]))
  }

  /** The same search, filters and order. */
  const savesWhatIsFound = async (page: Page, order: () => Promise<readonly string[]>): Promise<void> => {
    const field = page.getByRole('combobox', { name: 'Search transactions' })
    await field.fill('GET span.op:http.server')
    await field.press('Enter')
    await eventually(order).toEqual(['GET /search', 'GET /cart'])
    const [head = [], ...rows] = await csvOf(page, 'transactions')
    const cellsOf = (column: string) => rows.map((cells) => cells[head.indexOf(column)])
    expect(cellsOf('transaction')).toEqual(await order())
    expect(cellsOf('count')).toEqual(['4', '5'])
    expect(cellsOf('failureRate')).toEqual(['0.25', '0'])
    await field.fill('')
    await field.press('Enter')
    await eventually(async () => (await names(page)).length).toBe(3)
    await field.press('Escape')
  }

  it('T50 lists transactions, sorts by the heads of columns, searches, and opens one', async () => {
    const startMs = Date.now() - 60_000
    await sendEvents(server.account.dsn, [
      errorEvent('StockError', 'no lamp left', { transaction: 'POST /api/orders' }),
    ])
    await apiOf(server).issue('StockError')
    for (const [name, took, count] of [
      ['GET /cart', 20, 5],
      ['POST /api/orders', 900, 3],
      ['GET /search', 200, 4],
    ] as const)
      for (let index = 0; index < count; index += 1)
        await sendTransaction(server.account.dsn, {
          traceId: newTraceId(),
          startMs,
          user: `${index}`,
          root: {
            op: 'http.server',
            name,
            from: 0,
            to: took + index,
            status: name === 'GET /search' && index === 0 ? 'internal_error' : 'ok',
            children: [{ op: 'db.sql.query', name: 'SELECT 1', from: 1, to: took / 2 }],
          },
        })
    const { page, complaints, close } = await openPage(browser, signedIn, [/status of 400/])
    await until('three transactions', async () => {
      await page.goto(list())
      await page.getByRole('heading', { name: 'Performance' }).waitFor()
      await page
        .getByText(/^(No transactions in this time|Transaction)$/)
        .first()
        .waitFor()
      return (await names(page)).length === 3 ? true : null
    })
    const findings = page
      .getByRole('navigation', { name: 'Parts of performance' })
      .getByRole('link', { name: 'Findings' })
    expect(await findings.getAttribute('href')).toContain('issue.category')
    const order = async () => (await names(page)).map((text) => text.replace(/http\.server.*/, ''))
    await eventually(order).toEqual(['POST /api/orders', 'GET /search', 'GET /cart'])
    await tableOf(page).getByRole('button', { name: 'Count' }).click()
    await eventually(order).toEqual(['GET /cart', 'GET /search', 'POST /api/orders'])
    await eventually(() => new URL(page.url()).searchParams.get('sort')).toBe('-count')
    await tableOf(page).getByRole('button', { name: 'Count' }).click()
    await eventually(order).toEqual(['POST /api/orders', 'GET /search', 'GET /cart'])
    // The slug is shop.
    await eventually(async () => (await names(page))[0]).toMatch(/Shop$/)
    const search = page.getByRole('row').filter({ hasText: 'GET /search' })
    await eventually(() => search.textContent()).toContain('25%')

    await showsAll(page)
    await searches(page, order)
    await savesWhatIsFound(page, order)

    const focused = () => page.locator(':focus')
    const tree = page.getByRole('treegrid', { name: 'Spans' })
    const atFirstRow = async () => {
      await page.keyboard.press('j')
      await eventually(() => focused().textContent()).toContain('POST /api/orders')
    }
    await atFirstRow()
    await page.keyboard.press('t')
    await eventually(() => tree.locator('[aria-selected=true]').textContent()).toContain('POST /api/orders')
    await page.goBack()
    await eventually(order).toEqual(['POST /api/orders', 'GET /search', 'GET /cart'])
    await atFirstRow()
    await page.keyboard.press('j')
    await eventually(() => focused().textContent()).toContain('GET /search')
    await page.keyboard.press('k')
    await eventually(() => focused().textContent()).toContain('POST /api/orders')
    await page.keyboard.press('o')
    const samples = page.getByRole('table', { name: 'Slowest samples' })
    await eventually(() => samples.getByRole('row').count()).toBe(4)
    const [head = [], ...runs] = await csvOf(page, 'samples')
    const traces = await samples.locator('tbody tr td:first-child').allTextContents()
    expect(traces.map((shown, place) => (runs[place]?.[head.indexOf('trace')] ?? '').startsWith(shown.trim()))).toEqual(
      [true, true, true],
    )
    await page.getByRole('table', { name: 'Operations' }).getByText('db.sql.query').waitFor()
    await page
      .getByRole('complementary', { name: 'Related issues' })
      .getByRole('link', { name: 'StockError' })
      .waitFor()
    // On a phone, status and user of a sample begin a line below its trace, time and age.
    await page.setViewportSize({ width: 390, height: 844 })
    const topOf = async (cell: number) =>
      (await samples.locator('tbody tr').first().locator('td').nth(cell).boundingBox())?.y ?? 0
    await eventually(async () => (await topOf(2)) - (await topOf(5))).toBeGreaterThan(10)
    await eventually(async () => Math.abs((await topOf(2)) - (await topOf(3)))).toBeLessThan(4)
    await page.setViewportSize({ width: 1440, height: 900 })
    await samples.getByRole('columnheader', { name: 'Took' }).waitFor()
    await page.getByRole('link', { name: 'Slowest trace' }).waitFor()
    await page.keyboard.press('t')
    await eventually(() => tree.locator('[aria-selected=true]').textContent()).toContain('POST /api/orders')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('has what an unmodified SDK for Node measured', async () => {
    await promisify(execFile)(process.execPath, ['-e', SERVICE(server.account.dsn)], {
      cwd: import.meta.dirname,
      timeout: 120_000,
    })
    const { page, complaints, close } = await openPage(browser, signedIn)
    await until('the transaction of the SDK', async () => {
      await page.goto(`${list()}?query=from-the-sdk`)
      await page
        .getByText(/^(No transaction matches|Transaction)$/)
        .first()
        .waitFor()
      return (await names(page)).length === 1 ? true : null
    })
    await tableOf(page)
      .getByRole('link', { name: /from-the-sdk/ })
      .click()
    await page.getByRole('table', { name: 'Slowest samples' }).getByRole('link').first().click()
    const tree = page.getByRole('treegrid', { name: 'Spans' })
    await tree.getByRole('row').filter({ hasText: 'SELECT carts' }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })
})

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface, type Interface } from 'node:readline'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { sendItems } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'logs'

describe('the screen of logs', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  let program: ChildProcessWithoutNullStreams
  let said: Interface
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    program = spawn(process.execPath, [join(import.meta.dirname, 'log-app.cjs'), server.account.dsn], { stdio: 'pipe' })
    said = createInterface({ input: program.stdout })
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    program.kill('SIGKILL')
    await closePages(browser)
  })

  /** Logs a line with the SDK, and answers its trace. */
  const log = async (word: string): Promise<string> => {
    const answer = new Promise<string>((resolve) => said.once('line', resolve))
    program.stdin.write(`${word}\n`)
    return answer
  }
  const stored = (query: string, count: number) =>
    until(`${count} lines of ${query}`, async () => {
      const path = `/organizations/${ORGANIZATION}/logs/?query=${encodeURIComponent(query)}`
      const { lines } = await apiOf(server).get<{ lines: readonly unknown[] }>(path)
      return lines.length >= count ? lines : null
    })
  const send = async (bodies: readonly string[]): Promise<void> => {
    const items = bodies.map((body, index) => ({ timestamp: (Date.now() + index) / 1000, level: 'info', body }))
    expect((await sendItems(server.account.dsn, [{ type: 'log', payload: { items } }])).status).toBe(200)
  }
  const open = async (search: string) => {
    const opened = await openPage(browser, signedIn)
    await opened.page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/logs${search}`)
    return opened
  }
  const rowsOf = (page: Page): Locator => page.getByRole('list', { name: 'Log lines' }).getByRole('listitem')
  const rowOf = (page: Page, text: string | RegExp): Locator => page.getByRole('button', { name: text }).first()

  it('T19, T50, T63, T78: a line of an SDK is found by its attributes, opened, and leads to its trace and back to itself', async () => {
    const traceId = await log('cold')
    const lines = await stored('cup:cold', 2)
    const saved = `/organizations/${ORGANIZATION}/logs/?query=cup%3Acold&format=json`
    expect(await apiOf(server).get(saved)).toEqual({ data: lines, meta: { truncated: false } })
    const { page, complaints, close } = await open('?query=cup%3Acold')
    await eventually(() => rowsOf(page).count()).toBe(2)
    const row = rowOf(page, 'the tea is cold')
    await row.click()
    await page.getByRole('link', { name: 'Open trace' }).waitFor()
    const line = rowsOf(page).filter({ has: row })
    expect(await line.textContent()).toContain('shop@11')
    const opened = page.url()
    // Its own trace, by the key.
    await page.keyboard.press('t')
    await page.getByRole('treegrid', { name: 'Spans' }).waitFor()
    expect(page.url()).toContain(traceId)
    // Among the marks of its span it stands as well, and leads back to itself.
    await page.getByRole('link', { name: 'the tea is cold' }).click()
    await page.getByRole('link', { name: 'Open trace' }).waitFor()
    expect(await rowOf(page, 'the tea is cold').getAttribute('aria-expanded')).toBe('true')
    await page.goBack()
    await page.getByRole('treegrid', { name: 'Spans' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Open trace' }).waitFor()
    expect(page.url()).toBe(opened)
    expect(await rowOf(page, 'the tea is cold').getAttribute('aria-expanded')).toBe('true')
    // A press beside an attribute narrows the search, and the values at the left follow.
    await page.getByRole('button', { name: 'Without this cup' }).click()
    await page.getByText('No line matches').waitFor()
    await page.getByRole('button', { name: 'Show all lines' }).click()
    await page.getByRole('checkbox', { name: /^error/ }).click()
    await eventually(() => rowsOf(page).count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('query')).toBe('level:error')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('T70: a trace of which only log lines are known is shown with them', async () => {
    const traceId = 'd'.repeat(32)
    const items = [{ timestamp: Date.now() / 1000, trace_id: traceId, level: 'warn', body: 'alone in its trace' }]
    await sendItems(server.account.dsn, [{ type: 'log', payload: { items } }])
    await stored(`trace:${traceId}`, 1)
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/traces/${traceId}`)
    await page.getByRole('link', { name: 'alone in its trace warning' }).waitFor()
    // Searches go on saying warn.
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/logs?query=level:warn`)
    await rowOf(page, /warning.*alone in its trace/).waitFor()
    await eventually(() => page.getByRole('checkbox', { name: /^warning/ }).isChecked()).toBe(true)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('T75: the tail shows what comes, waits while one reads further down, and goes on', async () => {
    await send(Array.from({ length: 60 }, (_, index) => `tail ${index}`))
    await stored('tail', 60)
    const { page, complaints, close } = await open('?query=tail')
    await rowOf(page, 'tail 59').waitFor()
    await send(['tail comes'])
    await rowOf(page, 'tail comes').waitFor()
    expect(await rowsOf(page).first().textContent()).toContain('tail comes')
    const box = page.getByRole('list', { name: 'Log lines' }).locator('..')
    await box.evaluate((element) => element.scrollTo({ top: 400 }))
    await page.getByText('· live').waitFor({ state: 'detached' })
    await send(['tail waits', 'tail waits too'])
    const waiting = page.getByRole('button', { name: '2 lines wait' })
    await waiting.waitFor()
    expect(await box.evaluate((element) => element.scrollTop)).toBe(400)
    await waiting.click()
    await eventually(() => rowsOf(page).first().textContent()).toContain('tail waits too')
    // A line at the lower edge is opened where its details are seen.
    const lowest = Math.floor((await box.evaluate((element) => element.clientHeight)) / 24) - 1
    const edge = page.getByRole('list', { name: 'Log lines' }).locator(`[data-index="${lowest}"]`)
    await edge.getByRole('button').first().press('Enter')
    await edge.getByText('JSON').first().waitFor()
    await eventually(async () => {
      const [line, list] = [await edge.boundingBox(), await box.boundingBox()]
      return (line?.y ?? 0) + (line?.height ?? Infinity) - ((list?.y ?? 0) + (list?.height ?? 0))
    }).toBeLessThanOrEqual(1)
    expect(complaints.list).toEqual([])
    await close()
  })
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../tools/harness/server.ts'
import { apiOf } from '../lib/api.ts'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { type Complaints, launchBrowser, openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvents } from '../lib/send.ts'
import { until } from '../lib/until.ts'
import { type Frame, frameOf } from './pages/frame.ts'
import { type Stream, streamOf } from './pages/stream.ts'

const MINUTE = 60
const now = (): number => Date.now() / 1000

/** Five issues that differ in everything one can search by. */
const KINDS = [
  ...[1, 2, 3].map((count) =>
    errorEvent('TypeError', 'basket is undefined', {
      in: 'basket',
      release: 'shop@1.0.0',
      user: { id: String(count), email: `user${count}@example.com` },
      tags: { area: 'checkout' },
      timestamp: now() - 50 * MINUTE,
    }),
  ),
  errorEvent('RangeError', 'page out of range', {
    in: 'paging',
    level: 'fatal',
    release: 'shop@1.1.0',
    user: { id: '9', email: 'zoe@example.org' },
    tags: { area: 'search' },
    timestamp: now() - 40 * MINUTE,
  }),
  errorEvent('PaymentError', 'card was declined', {
    in: 'payment',
    release: 'shop@1.1.0',
    tags: { area: 'checkout' },
    timestamp: now() - 30 * MINUTE,
  }),
  { message: 'stock of lamps is low', level: 'warning', logger: 'stock', timestamp: now() - 20 * MINUTE },
  { message: 'newsletter was sent', level: 'info', environment: 'staging', timestamp: now() - 10 * MINUTE },
]

describe('the issue stream', () => {
  let server: RunningServer
  let browser: Browser
  let signedIn: SignedIn
  let origin: string

  const visit = async (): Promise<{
    page: Page
    complaints: Complaints
    stream: Stream
    frame: Frame
    close(): Promise<void>
  }> => {
    const opened = await openPage(browser, signedIn)
    return { ...opened, stream: streamOf(opened.page, 'acme', origin), frame: frameOf(opened.page) }
  }
  const titles = (stream: Stream) => eventually(() => stream.titles())
  const issueCount = (query: string, count: number): Promise<unknown> =>
    until(
      `${count} issues of "${query}"`,
      async () => ((await apiOf(server).hits(query)) === count ? true : null),
      60_000,
    )

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchBrowser()])
    origin = originOf(server)
    signedIn = await signIn(browser, server)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    server.remove()
  })

  it('says that a project has not sent anything yet, and shows the first events without a reload', async () => {
    const { page, complaints, stream, close } = await visit()
    await stream.open()
    await page.getByText('shop has not sent an event yet').waitFor()
    await sendEvents(server.account.dsn, KINDS)
    await titles(stream).toEqual([
      'newsletter was sent',
      'stock of lamps is low',
      'PaymentErrorcard was declined',
      'RangeErrorpage out of range',
      'TypeErrorbasket is undefined',
    ])
    expect(complaints.list).toEqual([])
    await close()
  })

  it("finds with Sentry's syntax: fields, wildcards, tags, negation, ranges, lists, free text", async () => {
    const { complaints, stream, close } = await visit()
    await stream.open()
    for (const [query, expected] of [
      ['level:fatal', ['RangeError']],
      ['release:shop@1.1.0', ['PaymentError', 'RangeError']],
      ['user.email:zoe@example.org', ['RangeError']],
      ['user.email:*@example.com', ['TypeError']],
      ['area:checkout', ['PaymentError', 'TypeError']],
      ['!area:checkout has:area', ['RangeError']],
      ['timesSeen:>2', ['TypeError']],
      ['declined', ['PaymentError']],
      ['is:unresolved environment:staging', ['newsletter']],
      ['error.type:[RangeError,TypeError]', ['RangeError', 'TypeError']],
    ] as const) {
      await stream.search(query)
      await eventually(() => stream.titles(), query).toEqual(expected.map((lead) => expect.stringContaining(lead)))
    }
    expect(complaints.list).toEqual([])
    await close()
  })

  it('keeps search and order in the address, over a reload and with the back button', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    await stream.open()
    await stream.search('is:unresolved area:checkout')
    await titles(stream).toHaveLength(2)
    await page.reload()
    await titles(stream).toHaveLength(2)
    expect(await stream.searchBar.inputValue()).toBe('is:unresolved area:checkout')

    await frame.select(page.getByRole('combobox', { name: 'Sort by' }), 'Events')
    await page.waitForURL('**sort=freq**')
    await titles(stream).toEqual([expect.stringContaining('TypeError'), expect.stringContaining('PaymentError')])

    await page.goBack()
    await titles(stream).toEqual([expect.stringContaining('PaymentError'), expect.stringContaining('TypeError')])
    await page.goBack()
    await titles(stream).toHaveLength(5)
    expect(await stream.searchBar.inputValue()).toBe('is:unresolved')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('says why nothing matches and takes one condition away; a search that cannot be read is explained', async () => {
    const { page, complaints, stream, close } = await visit()
    await stream.open('is:unresolved level:fatal area:checkout')
    await page.getByText('No issue matches').first().waitFor()
    await page.getByRole('button', { name: 'area:checkout' }).click()
    await titles(stream).toEqual([expect.stringContaining('RangeError')])

    await stream.searchBar.fill('is:unresolved (level:fatal')
    await stream.searchBar.press('Enter')
    await page.getByText(/Character \d+\./).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('is used by keyboard: j, k, Enter, x, e, and takes back', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    await stream.open()
    await titles(stream).toHaveLength(5)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'stock of lamps is low' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    // On to the next issue and back to the list: the keyboard stands on the row of the one looked at last.
    await page.keyboard.press('j')
    const next = await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'stock of lamps' }).innerText()
    await page.keyboard.press('u')
    await titles(stream).toHaveLength(5)
    await page.keyboard.press('x')
    await eventually(() => stream.row(next).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Escape')
    await page.keyboard.press('k')

    await page.keyboard.press('x')
    await eventually(() => stream.row('stock of lamps').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await frame.message(/^SHOP-\w+ resolved$/)
    await titles(stream).toHaveLength(4)
    await frame.messages.getByRole('button', { name: 'Undo' }).first().click()
    await frame.message('Taken back')
    await titles(stream).toHaveLength(5)

    await page.keyboard.press('/')
    await eventually(() => stream.searchBar.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('changes several at once: resolve with undo, archive, assign, delete', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    await stream.open()
    await titles(stream).toHaveLength(5)
    await stream.select('newsletter was sent')
    await stream.select('stock of lamps')
    await stream.bulk.getByText('2 selected').waitFor()
    await frame.choose(stream.bulk.getByRole('button', { name: 'Resolve' }), 'Resolve now')
    await frame.message('2 issues resolved')
    await titles(stream).toHaveLength(3)
    await frame.messages.getByRole('button', { name: 'Undo' }).first().click()
    await titles(stream).toHaveLength(5)

    await stream.select('newsletter was sent')
    await frame.choose(stream.bulk.getByRole('button', { name: 'Archive' }), 'For ever')
    await frame.message(/archived for ever/)
    await titles(stream).toHaveLength(4)

    await stream
      .row('PaymentError')
      .getByRole('button', { name: /^Assign / })
      .click()
    await page.getByRole('option', { name: /\(me\)/ }).click()
    await stream
      .row('PaymentError')
      .getByRole('button', { name: /^Assigned to / })
      .waitFor()
    await stream.search('assigned:me')
    await titles(stream).toEqual([expect.stringContaining('PaymentError')])

    await stream.search('is:unresolved')
    await stream.select('RangeError')
    await stream.bulk.getByRole('button', { name: 'Delete' }).click()
    await frame.question.getByText('Delete 1 issue?').waitFor()
    await frame.question.getByRole('button', { name: 'Cancel' }).click()
    await titles(stream).toHaveLength(4)
    await stream.bulk.getByRole('button', { name: 'Delete' }).click()
    await frame.question.getByRole('button', { name: 'Delete' }).click()
    await titles(stream).toHaveLength(3)
    await page.getByRole('link', { name: /^Archived/ }).click()
    await titles(stream).toEqual(['newsletter was sent'])
    expect(complaints.list).toEqual([])
    await close()
  })

  it('shows what arrives while one looks: counts move, new issues come in, and nothing jumps under the pointer', async () => {
    const { page, complaints, stream, close } = await visit()
    await stream.open('')
    await stream.row('TypeError').waitFor()
    await page.mouse.move(10, 10)
    await sendEvents(server.account.dsn, [
      errorEvent('TypeError', 'basket is undefined', { in: 'basket', release: 'shop@1.0.0' }),
      errorEvent('LiveError', 'just now', { in: 'live' }),
    ])
    await stream.row('LiveError').waitFor()
    await stream.row('TypeError').getByText('4', { exact: true }).first().waitFor()

    await stream.row('LiveError').hover()
    await sendEvents(server.account.dsn, [errorEvent('HeldError', 'comes when asked', { in: 'held' })])
    await page.getByRole('button', { name: '1 new issue' }).click()
    await stream.row('HeldError').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('scrolls through more than 200 issues, and changes all that match at once', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    const many = Array.from({ length: 230 }, (_, index) =>
      errorEvent(`Bulk${index}Error`, 'one of many', {
        in: `bulk${index}`,
        tags: { batch: 'many' },
        timestamp: now() - 3600 - index,
      }),
    )
    await sendEvents(server.account.dsn, many)
    await issueCount('batch:many', 230)

    await stream.open('batch:many is:unresolved')
    await stream.row('Bulk0Error').waitFor()
    expect(await stream.table.getAttribute('aria-rowcount')).toBe('231')
    expect(await stream.rows.count()).toBeLessThan(60)
    await until(
      'the last of 230 rows',
      async () => {
        await page.evaluate(() => globalThis.scrollTo({ top: document.documentElement.scrollHeight }))
        return (await stream.row('Bulk229Error').count()) === 1 ? true : null
      },
      60_000,
    )

    await page.reload()
    await stream.row('Bulk0Error').waitFor()
    await page.getByRole('checkbox', { name: 'Select all loaded issues' }).click()
    await page.getByRole('button', { name: 'Select all 230 that match' }).click()
    await stream.bulk.getByText('230 selected').waitFor()
    await frame.choose(stream.bulk.getByRole('button', { name: 'Resolve' }), 'Resolve now')
    await frame.message('230 issues resolved')
    await issueCount('batch:many is:unresolved', 0)
    await frame.messages.getByRole('button', { name: 'Undo' }).first().click()
    await frame.message('Taken back')
    await issueCount('batch:many is:unresolved', 230)
    expect(complaints.list).toEqual([])
    await close()
  })
})

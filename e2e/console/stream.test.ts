import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { type Complaints, openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvents } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { type Frame, frameOf } from './pages/frame.ts'
import { type Stream, streamOf } from './pages/stream.ts'

const ORGANIZATION = 'stream'

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
  let server: SharedServer
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
    return { ...opened, stream: streamOf(opened.page, ORGANIZATION, origin), frame: frameOf(opened.page) }
  }
  const titles = (stream: Stream) => eventually(() => stream.titles())
  const issueCount = (query: string, count: number): Promise<unknown> =>
    until(
      `${count} issues of "${query}"`,
      async () => ((await apiOf(server).hits(query)) === count ? true : null),
      60_000,
    )

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    origin = originOf(server)
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it('says that a project has not sent anything yet, and shows the first events without a reload', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    const live = frame.live()
    await stream.open()
    await page.getByText('shop has not sent an event yet').waitFor()
    await live
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
    await eventually(() => stream.searchBar.inputValue()).toBe('is:unresolved area:checkout')

    await frame.select(page.getByRole('combobox', { name: 'Sort by' }), 'Events')
    await page.waitForURL('**sort=freq**')
    await titles(stream).toEqual([expect.stringContaining('TypeError'), expect.stringContaining('PaymentError')])

    await page.goBack()
    await titles(stream).toEqual([expect.stringContaining('PaymentError'), expect.stringContaining('TypeError')])
    await page.goBack()
    await titles(stream).toHaveLength(5)
    await eventually(() => stream.searchBar.inputValue()).toBe('is:unresolved')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('says why nothing matches and takes one condition away; a search that cannot be read is explained', async () => {
    const { page, complaints, stream, close } = await visit()
    await stream.open('is:unresolved level:fatal area:checkout')
    await page.getByText('No issue matches').first().waitFor()
    await page.getByRole('button', { name: 'area:checkout' }).click()
    await titles(stream).toEqual([expect.stringContaining('RangeError')])

    // An empty tab says what it means, in one environment too, and what could be left out.
    await page.goto(`${origin}/organizations/${ORGANIZATION}/issues?query=is:regressed&environment=production`)
    await page.getByText('Nothing has come back here').waitFor()
    await page.getByRole('button', { name: 'production', exact: true }).click()
    await page.getByText('Nothing has come back', { exact: true }).waitFor()

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
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
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
    await frame.heldMessage(/^SHOP-\w+ resolved$/)
    await titles(stream).toHaveLength(4)
    await frame.messages.getByRole('button', { name: 'Undo' }).first().click()
    await frame.message('Undone')
    await titles(stream).toHaveLength(5)

    // A look at the newest event without leaving the list; the same key ends it.
    const peek = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Open the issue' }) })
    await page.keyboard.press('Space')
    await peek.waitFor()
    await page.keyboard.press('Space')
    await peek.waitFor({ state: 'detached' })

    // The help for keys lists them, and Space does not switch them off.
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Undo the last change').waitFor()
    await eventually(() => help.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Space')
    await eventually(() => help.getByRole('switch').getAttribute('aria-checked')).toBe('true')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })

    await page.keyboard.press('/')
    await eventually(() => stream.searchBar.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.type('"TypeError')
    expect(await stream.searchBar.inputValue()).toBe('is:unresolved "TypeError')
    expect(await stream.searchBar.getAttribute('aria-invalid')).toBe('false')
    await page.keyboard.press('Enter')
    await titles(stream).toEqual([expect.stringContaining('TypeError')])
    await page.keyboard.type(' nowhere')
    await page.keyboard.press('Escape')
    expect(await stream.searchBar.inputValue()).toBe('is:unresolved "TypeError')
    await page.keyboard.press('/')
    await page.keyboard.type('(')
    expect(await stream.searchBar.getAttribute('aria-invalid')).toBe('false')
    await page.keyboard.press('Enter')
    await eventually(() => stream.searchBar.getAttribute('aria-invalid')).toBe('true')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('reopens with the key that resolves, and z takes back whatever was changed last', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    await stream.open()
    await titles(stream).toHaveLength(5)
    await page.keyboard.press('j')
    const first = (await stream.titles())[0] ?? ''
    await page.keyboard.press('e')
    await titles(stream).toHaveLength(4)
    await frame.message(/ resolved$/)

    await stream.open('is:resolved')
    await stream.row(first).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await frame.message(/ reopened$/)
    await titles(stream).toHaveLength(0)
    await page.keyboard.press('Control+z')
    await frame.message(/^Undone: SHOP-\w+ reopened$/)
    await stream.row(first).waitFor()

    // On the page of the issue, too; and what was changed there is taken back from the list.
    await stream.row(first).getByRole('link').click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await eventually(() => page.title()).toMatch(/^SHOP-/)
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor()
    await frame.message(/ reopened$/)
    await page.keyboard.press('u')
    await page.waitForURL(/\/issues\?/)
    await eventually(() => page.title()).toBe('Issues · Firsthand')
    await page.keyboard.press('z')
    await stream.row(first).waitFor()
    await stream.open('is:unresolved')
    await titles(stream).toHaveLength(4)
    await stream.open('is:resolved')
    await stream.row(first).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await frame.message(/ reopened$/)
    await stream.open()
    await titles(stream).toHaveLength(5)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('finds anything by ⌘K: screens by their beginning, issues by any words, people, and what can be done with what is open', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    const palette = page.getByRole('dialog', { name: 'Commands' })
    const options = palette.getByRole('option')
    const ask = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await palette.getByRole('combobox').fill(text)
    }
    await stream.open()
    await titles(stream).toHaveLength(5)
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.press('Control+k')
    await palette.waitFor({ state: 'detached' })
    await ask('setti')
    await eventually(() => options.first().innerText()).toMatch(/^Settings/)
    await palette.getByRole('combobox').fill('lamps stock')
    await options.filter({ hasText: 'stock of lamps is low' }).click()
    await page.getByRole('heading', { level: 1, name: 'stock of lamps is low' }).waitFor()

    await ask('resolve')
    await options.filter({ hasText: /^Resolve\s*e?$/ }).click()
    await frame.message(/ resolved$/)
    const shortId = await page
      .locator('[aria-current=page]')
      .filter({ hasText: /^SHOP-/ })
      .innerText()
    await page.keyboard.press('z')
    await frame.message('Undone')
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor()

    await page.keyboard.press('u')
    await titles(stream).toHaveLength(5)
    await ask(shortId.toLowerCase())
    await options.filter({ hasText: shortId }).click()
    await page.getByRole('heading', { level: 1, name: 'stock of lamps is low' }).waitFor()

    await ask('sign out')
    await options.filter({ hasText: 'Log out' }).waitFor()
    await palette.getByRole('combobox').fill('zoe@ex')
    // The person, and the issues they ran into.
    await eventually(() => options.filter({ hasText: 'zoe@example.org' }).count()).toBe(2)
    await palette.getByRole('combobox').fill('bob@example.com')
    await options.filter({ hasText: 'issues they ran into' }).click()
    await page.waitForURL((url) => url.searchParams.get('query') === 'user.email:bob@example.com')
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
    await frame.heldMessage('2 issues resolved')
    await titles(stream).toHaveLength(3)
    await frame.messages.getByRole('button', { name: 'Undo' }).first().click()
    await titles(stream).toHaveLength(5)

    await stream.select('newsletter was sent')
    await frame.choose(stream.bulk.getByRole('button', { name: 'Archive' }), 'Forever')
    await frame.message(/archived forever/)
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
    await page.getByRole('link', { name: /^All/ }).click()
    await titles(stream).toHaveLength(4)
    await page.goto(`${page.url()}&start=2020-01-01T00:00:00&end=2020-01-02T00:00:00&utc=true`)
    await page
      .getByRole('combobox', { name: 'Period' })
      .getByText('1 Jan 2020, 00:00 – 2 Jan 2020, 00:00 UTC')
      .waitFor()
    await page.getByText('No issue matches').waitFor()
    await page.getByRole('button', { name: 'the dates' }).click()
    await titles(stream).toHaveLength(4)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('shows what arrives while one looks: counts move, new issues come in, and nothing jumps under the pointer', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    const live = frame.live()
    await stream.open('')
    await stream.row('TypeError').waitFor()
    await live
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
    await eventually(() => stream.table.getAttribute('aria-rowcount')).toBe('231')
    await eventually(() => stream.rows.count()).toBeLessThan(60)
    await until(
      'the last of 230 rows',
      async () => {
        await page.evaluate(() => globalThis.scrollTo({ top: document.documentElement.scrollHeight }))
        return (await stream.row('Bulk229Error').count()) === 1 ? true : null
      },
      60_000,
    )

    // The page may come back where it was left, far from the first row.
    await page.reload()
    await stream.rows.first().waitFor()
    await until('the first row', async () => {
      await page.evaluate(() => globalThis.scrollTo({ top: 0 }))
      return (await stream.row('Bulk0Error').count()) === 1 ? true : null
    })
    await page.getByRole('checkbox', { name: 'Select all loaded issues' }).click()
    await page.getByRole('button', { name: 'Select all 230 that match' }).click()
    await stream.bulk.getByText('230 selected').waitFor()
    await frame.choose(stream.bulk.getByRole('button', { name: 'Resolve' }), /^Resolve now/)
    await frame.dialog.getByRole('button', { name: 'Change 230 issues' }).click()
    await frame.heldMessage('230 issues resolved')
    await issueCount('batch:many is:unresolved', 0)
    await frame.messages.getByRole('button', { name: 'Undo' }).first().click()
    await frame.message('Undone')
    await issueCount('batch:many is:unresolved', 230)
    expect(complaints.list).toEqual([])
    await close()
  })
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pdb, WINDOWS, writeMinidump } from '../../apps/server/src/event/minidump/minidump.fixture.ts'
import { apiOf } from '../lib/api.ts'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { type Complaints, openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, type EventPayload, ingestUrl, newEventId, sendEvents } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { type Frame, frameOf } from './pages/frame.ts'
import { type IssuePage, issuePageOf } from './pages/issue.ts'
import { streamOf } from './pages/stream.ts'

const ORGANIZATION = 'issue'

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const APP = 'http://shop.example.com/static/checkout.js'
const LIBRARY = 'http://shop.example.com/node_modules/react-dom/client.js'

/** A failed order: two linked errors, frames of the shop and of a library, source, variables, breadcrumbs, tags. */
const order = (more: EventPayload = {}): EventPayload => ({
  transaction: '/checkout',
  environment: 'production',
  release: 'shop@2.0.0',
  request: {
    url: 'http://shop.example.com/checkout?step=pay',
    method: 'POST',
    headers: { 'User-Agent': 'Mozilla/5.0 Chrome/140.0.0.0' },
  },
  user: { id: '7', email: 'bob@example.com' },
  tags: { currency: 'EUR' },
  contexts: { basket: { items: 3, voucher: 'AUTUMN15' } },
  extra: { attempt: 2 },
  breadcrumbs: [
    { type: 'default', category: 'ui.click', message: 'button#pay', timestamp: Date.now() / 1000 - 5 },
    {
      type: 'http',
      category: 'fetch',
      data: { method: 'POST', url: '/api/pay', status_code: 502 },
      timestamp: Date.now() / 1000 - 2,
    },
    { category: 'console', level: 'warning', message: 'retrying the payment', timestamp: Date.now() / 1000 - 1 },
  ],
  exception: {
    values: [
      {
        type: 'GatewayError',
        value: 'bad gateway',
        mechanism: { type: 'chained', handled: true, source: 'cause', exception_id: 1, parent_id: 0 },
        stacktrace: {
          frames: [{ function: 'callGateway', filename: APP, abs_path: APP, lineno: 31, colno: 5, in_app: true }],
        },
      },
      {
        type: 'OrderError',
        value: 'the order could not be paid',
        mechanism: { type: 'onunhandledrejection', handled: false, exception_id: 0 },
        stacktrace: {
          frames: [
            { function: 'dispatchEvent', filename: LIBRARY, abs_path: LIBRARY, lineno: 900, colno: 1, in_app: false },
            { function: 'runBatch', filename: LIBRARY, abs_path: LIBRARY, lineno: 950, colno: 1, in_app: false },
            {
              function: 'placeOrder',
              filename: APP,
              abs_path: APP,
              lineno: 42,
              colno: 11,
              in_app: true,
              pre_context: ['export async function placeOrder(basket) {', '  const total = sum(basket)'],
              context_line: '  if (total > limit) throw new OrderError(total)',
              post_context: ['  await pay(total)', '}'],
              vars: { total: 1999 },
            },
          ],
        },
      },
    ],
  },
  ...more,
})

describe('the issue page', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  let origin: string
  let issue: string

  const visit = async (): Promise<{
    page: Page
    complaints: Complaints
    issues: IssuePage
    frame: Frame
    close(): Promise<void>
  }> => {
    const opened = await openPage(browser, signedIn)
    return { ...opened, issues: issuePageOf(opened.page, ORGANIZATION, origin), frame: frameOf(opened.page) }
  }

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    origin = originOf(server)
    signedIn = await signIn(server)
    const now = Date.now() / 1000
    await sendEvents(server.account.dsn, [
      order({ timestamp: now - 7200, user: { email: 'first@example.com' }, tags: { currency: 'CHF' } }),
    ])
    await sendEvents(server.account.dsn, [order({ timestamp: now - 3600, user: { email: 'second@example.com' } })])
    await sendEvents(server.account.dsn, [order({ timestamp: now - 60 })])
    await sendEvents(server.account.dsn, [{ message: 'another currency', tags: { currency: 'EUR' } }])
    issue = (await apiOf(server).issue('OrderError')).id
    await apiOf(server).issue('another currency')
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it('shows what was thrown and where: own frames, all frames, raw, source in context, the error behind it', async () => {
    const { page, complaints, issues, close } = await visit()
    await issues.open(issue)
    await eventually(() => issues.heading.innerText()).toBe('OrderError')
    await page.getByText('Unhandled', { exact: true }).waitFor()
    const stack = issues.panel('Stack trace')
    await stack.getByText('2 linked errors').waitFor()

    await stack.getByRole('button', { name: /^placeOrder/ }).waitFor()
    const source = stack.getByRole('region', { name: 'Source around line 42' })
    await eventually(() => source.innerText()).toContain('if (total > limit) throw new OrderError(total)')
    await stack.getByText('Variables').waitFor()
    expect(await stack.getByText('dispatchEvent').count()).toBe(0)
    await stack.getByRole('button', { name: '2 frames of react-dom' }).click()
    await stack.getByText('dispatchEvent').waitFor()

    const cause = stack.getByRole('region', { name: 'GatewayError' })
    await cause.getByText('bad gateway').waitFor()
    await cause.getByText('callGateway').waitFor()

    await stack.getByRole('radio', { name: 'All 4' }).click()
    await stack.getByText('runBatch').waitFor()
    await stack.getByRole('radio', { name: 'Raw' }).click()
    await eventually(() => stack.locator('pre').innerText()).toContain(
      `OrderError: the order could not be paid\n    at placeOrder (${APP}:42:11)`,
    )
    expect(complaints.list).toEqual([])
    await close()
  })

  it('shows what happened before, the request, the person, contexts, and the event as JSON', async () => {
    const { page, complaints, issues, frame, close } = await visit()
    await issues.open(issue)
    const before = issues.panel('What happened before')
    await before.getByText('button#pay').waitFor()
    await eventually(() => before.getByRole('listitem').count()).toBe(3)
    await before.getByRole('button', { name: /502/ }).click()
    await before.getByText('/api/pay').last().waitFor()
    await before.getByRole('radio', { name: 'Console' }).click()
    await eventually(() => before.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('retrying the payment'),
    ])

    await issues.panel('Request').getByText('shop.example.com/checkout').first().waitFor()
    await issues.panel('User').getByText('bob@example.com').waitFor()
    await page.getByText('AUTUMN15').waitFor()
    await page.getByText('attempt').waitFor()

    await issues.bar.getByRole('button', { name: 'JSON' }).click()
    await frame.dialog.locator('pre').getByText('"the order could not be paid"').first().waitFor()
    await page.keyboard.press('Escape')
    await frame.dialog.waitFor({ state: 'hidden' })

    const why = issues.part('Why grouped')
    await why.getByText('Same type and in-app frames: ').waitFor()
    await why.getByRole('button', { name: /^Show the/ }).click()
    await frame.dialog
      .getByText(/^[0-9a-f]{32}$/)
      .first()
      .waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('goes from event to event, older and newer, and lists them all', async () => {
    const { page, complaints, issues, close } = await visit()
    const user = issues.panel('User')
    await issues.open(issue)
    await user.getByText('bob@example.com').waitFor()
    await eventually(() => issues.bar.getByRole('button', { name: 'Newer event' }).isDisabled()).toBe(true)
    await issues.bar.getByRole('button', { name: 'Older event' }).click()
    await user.getByText('second@example.com').waitFor()
    await page.keyboard.press('[')
    await user.getByText('first@example.com').waitFor()
    await eventually(() => issues.bar.getByRole('button', { name: 'Older event' }).isDisabled()).toBe(true)
    await page.keyboard.press(']')
    await user.getByText('second@example.com').waitFor()
    await issues.bar.getByRole('button', { name: 'Latest' }).click()
    await user.getByText('bob@example.com').waitFor()

    await page.getByRole('link', { name: 'All events' }).click()
    const events = page.getByRole('table', { name: 'Events' })
    await eventually(() => events.getByRole('row').count()).toBe(4)
    // Columns are what varies; what is the same for all is said once.
    await eventually(() => events.getByRole('columnheader').allTextContents()).toEqual([
      'Event',
      'When',
      'User',
      'currency',
    ])
    await page.getByText(/^In all of these:.*Release shop@2\.0\.0.*Environment production/).waitFor()
    await events.getByRole('row').filter({ hasText: 'first@example.com' }).getByRole('link').click()
    await user.getByText('first@example.com').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('says who is affected; one click on a value filters the stream', async () => {
    const { page, complaints, issues, frame, close } = await visit()
    await issues.open(issue)
    const who = issues.part('Who is affected')
    const bar = who.getByRole('button', { name: /^currency/ })
    // Either it is among the first, or behind the button for all of them.
    const all = who.getByRole('button', { name: /^All \d+ tags$/ })
    await bar.or(all).first().waitFor()
    if ((await bar.count()) === 0) await all.click()
    await eventually(() => bar.innerText()).toMatch(/EUR\s*67%/)
    await bar.click()
    await frame.dialog.getByRole('button', { name: /^EUR/ }).click()
    await page.waitForURL('**/issues?query=**')
    const stream = streamOf(page, ORGANIZATION, origin)
    await eventually(() => stream.searchBar.inputValue()).toBe('is:unresolved currency:EUR')
    await eventually(() => stream.titles()).toHaveLength(2)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('says that an unknown event is none of its, and leads to the latest; a single event has nothing to go to', async () => {
    const { page, issues, close } = await visit()
    await page.goto(`${origin}/organizations/${ORGANIZATION}/issues/${issue}?event=${'0'.repeat(32)}`)
    await page.getByText(`The issue has no event ${'0'.repeat(32)}`).waitFor()
    await page.getByText('Its time may be over, or it belongs to another issue.').waitFor()
    // Trying again would not bring it.
    await eventually(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show the latest event' }).click()
    await issues.bar.getByRole('button', { name: 'Older event' }).waitFor()

    await issues.open((await apiOf(server).issue('another currency')).id)
    await issues.bar.getByRole('button', { name: 'JSON' }).waitFor()
    await eventually(() => issues.bar.getByRole('button').allInnerTexts()).not.toContain('Latest')
    await eventually(() => page.getByRole('img', { name: /in the period$/ }).count()).toBe(0)
    await close()
  })

  it('keeps notes: write, change, delete', async () => {
    const { complaints, issues, close } = await visit()
    await issues.open(issue)
    const activity = issues.part('Activity')
    await activity.getByLabel('Write a note').fill('the gateway was down')
    await activity.getByRole('button', { name: 'Add note' }).click()
    await activity.getByText('“the gateway was down”').waitFor()
    await activity.getByText('“the gateway was down”').hover()
    await activity.getByRole('button', { name: 'Edit the note' }).click()
    await activity.getByRole('textbox', { name: 'Edit the note' }).fill('the gateway was down until noon')
    await activity.getByRole('button', { name: 'Save' }).click()
    await activity.getByText('“the gateway was down until noon”').waitFor()
    await activity.getByText('“the gateway was down until noon”').hover()
    await activity.getByRole('button', { name: 'Delete the note' }).click()
    await activity.getByText('“the gateway was down until noon”').waitFor({ state: 'hidden' })
    await activity.getByText(/^First seen/).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('shows the files that came with the event: pictures painted, everything else only saved', async () => {
    const eventId = newEventId()
    const log = Buffer.from('<script>document.title = "run"</script>')
    const parts = [
      [
        { type: 'event' },
        JSON.stringify({ ...errorEvent('FileError', 'has files', { in: 'files' }), event_id: eventId }),
      ],
      [{ type: 'attachment', filename: 'screen.png', content_type: 'image/png', length: PIXEL.length }, PIXEL],
      [{ type: 'attachment', filename: 'trace<b>.html', content_type: 'text/html', length: log.length }, log],
      [{ type: 'attachment', filename: 'no-picture.png', content_type: 'image/png', length: log.length }, log],
    ] as const
    const body = Buffer.concat([
      Buffer.from(`${JSON.stringify({ event_id: eventId })}\n`),
      ...parts.flatMap(([header, payload]) => [
        Buffer.from(`${JSON.stringify(header)}\n`),
        Buffer.from(payload),
        Buffer.from('\n'),
      ]),
    ])
    const answer = await fetch(ingestUrl(server.account.dsn), { method: 'POST', body })
    expect(answer.status, await answer.text()).toBe(200)

    const { page, complaints, issues, frame, close } = await visit()
    await issues.open((await apiOf(server).issue('FileError')).id)
    const files = issues.panel('Attachments')
    await eventually(() => files.getByRole('listitem').count()).toBe(3)
    await eventually(() => files.getByRole('listitem').filter({ hasText: 'trace_b_.html' }).innerText()).toMatch(
      /text\/html\s+39 B/,
    )
    await eventually(() =>
      files.locator('img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
    ).toEqual([1])
    await files.getByRole('button', { name: 'Show screen.png' }).click()
    await frame.dialog.getByRole('img', { name: 'screen.png' }).waitFor()
    await page.keyboard.press('Escape')

    const link = files.getByRole('link', { name: 'Download trace_b_.html' })
    const [saved] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(saved.suggestedFilename()).toBe('trace_b_.html')
    // In the address bar, too, the file is saved and not shown.
    const address = await link.evaluate((anchor) => (anchor as HTMLAnchorElement).href)
    const other = await page.context().newPage()
    // A navigation that becomes a download is aborted; the download is what the test looks at.
    const [direct] = await Promise.all([other.waitForEvent('download'), other.goto(address).catch(() => null)])
    expect(direct.suggestedFilename()).toBe('trace_b_.html')
    expect(await other.title()).not.toBe('run')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('is merged with others of its project, and separated again', async () => {
    await sendEvents(server.account.dsn, [
      errorEvent('MergeError', 'first kind', { in: 'one' }),
      errorEvent('MergeError', 'second kind', { in: 'two' }),
      errorEvent('MergeError', 'second kind', { in: 'two' }),
    ])
    const first = await apiOf(server).issue('MergeError: first kind')
    const second = await apiOf(server).issue('MergeError: second kind')
    const { page, complaints, issues, frame, close } = await visit()
    await issues.open(first.id)
    await frame.choose(page.getByRole('button', { name: 'More', exact: true }), /^Merge with other issues/)
    await frame.dialog.getByRole('textbox').fill('second kind')
    await eventually(() => frame.dialog.getByRole('listitem').count()).toBe(1)
    await frame.dialog.getByRole('checkbox', { name: `Merge with ${second.shortId}` }).click()
    await frame.dialog.getByRole('button', { name: 'Merge 2 issues' }).click()

    const message = await frame.heldMessage(`2 issues merged into ${second.shortId}`)
    await page.waitForURL(`**/issues/${second.id}**`)
    await issues.part('Activity').getByText(`Merged with ${first.shortId}`).waitFor()
    await page.getByText('3', { exact: true }).first().waitFor()
    await message.locator('..').locator('..').getByRole('button', { name: 'Undo' }).click()
    await frame.message('Undone')
    await issues.part('Activity').getByText('Unmerged').waitFor()
    await issues.open(first.id)
    expect(new URL(page.url()).pathname).toContain(`/issues/${first.id}`)
    await page.getByText('first kind').first().waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('remembers who looked, and what one keeps', async () => {
    await sendEvents(server.account.dsn, [errorEvent('SeenError', 'look at me', { in: 'seen' })])
    const { id } = await apiOf(server).issue('SeenError')
    const { page, complaints, issues, close } = await visit()
    const stream = streamOf(page, ORGANIZATION, origin)
    await stream.open('SeenError')
    const row = stream.row('SeenError')
    await row.getByText('Not viewed yet').waitFor()
    await row.getByRole('link').click()
    await issues.bar.waitFor()
    // What is shown at once is stored a moment later, and a page that is left takes a request under way along.
    const stored = page.waitForResponse((answer) => answer.request().postData()?.includes('isBookmarked') === true)
    await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
    await page.getByRole('button', { name: 'Remove the bookmark' }).waitFor()
    await stored
    await page.goBack()
    await row.getByText('Bookmarked').waitFor()
    await row.getByText('Not viewed yet').waitFor({ state: 'detached' })

    await stream.open('bookmarks:me')
    await eventually(() => stream.titles()).toEqual([expect.stringContaining('SeenError')])
    await issues.open(id)
    await page.keyboard.press('b')
    await page.getByRole('button', { name: 'Bookmark', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByRole('button', { name: 'Unsubscribe' }).waitFor()
    await eventually(() =>
      page.evaluate(async (path) => {
        const issue = (await (await fetch(path)).json()) as { isBookmarked: boolean; isSubscribed: boolean }
        return [issue.isBookmarked, issue.isSubscribed]
      }, `/api/0/organizations/${ORGANIZATION}/issues/${id}/`),
    ).toEqual([false, true])
    expect(complaints.list).toEqual([])
    await close()
  })

  it('keeps a bookmark on screen when what was asked for before it is answered after it', async () => {
    const send = () =>
      sendEvents(server.account.dsn, [errorEvent('MarkedError', 'kept while it loads', { in: 'marked' })])
    await send()
    const { id } = await apiOf(server).issue('MarkedError')
    const { page, complaints, issues, frame, close } = await visit()
    const live = frame.live()
    await issues.open(id)
    await live
    const early = Promise.withResolvers<void>()
    const changed = page.waitForResponse((answer) => answer.request().postData()?.includes('isBookmarked') === true)
    const address = new RegExp(`/issues/${id}/(?:\\?|$)`)
    let askedAfter = 0
    let isChanged = false
    void changed.then(() => (isChanged = true))
    await page.route(address, async (route) => {
      if (isChanged) askedAfter += 1
      const answer = await route.fetch()
      early.resolve()
      await changed
      await route.fulfill({ response: answer })
    })
    // A new event: the page asks for the issue again.
    await send()
    await early.promise
    await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
    await eventually(() => askedAfter).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Remove the bookmark' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    expect(complaints.list).toEqual([])
    await close()
  })

  it('is resolved, and regresses on its own page when a new event comes', async () => {
    const { page, complaints, issues, frame, close } = await visit()
    const live = frame.live()
    await issues.open(issue)
    await live
    await page
      .getByRole('button', { name: 'Resolve', exact: true })
      .or(page.getByRole('button', { name: /^Resolve e$/i }))
      .click()
    await frame.message(/resolved$/)
    await page.getByRole('button', { name: /^Reopen/ }).waitFor()
    await issues.part('Activity').getByText('Resolved').first().waitFor()

    await sendEvents(server.account.dsn, [order({ release: 'shop@2.1.0' })])
    await page.getByText('Regressed in 2.1.0').first().waitFor()
    await page
      .getByRole('button', { name: /^Resolve/ })
      .first()
      .waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('shows of a crash dump the library and offset, the registers of the thread, and what was loaded', async () => {
    const begin = 0x140000000n
    const file = 'C:\\Shop\\till.exe'
    const dump = writeMinidump({
      platform: WINDOWS,
      crash: { threadId: 9, code: 0xc00000fd, registers: { rip: begin + 0x42n, rsp: 0n } },
      threads: [{ id: 9 }],
      modules: [{ begin, size: 0x10000, file, symbols: pdb('0123456789abcdef0123456789abcdef', 1, 'till.pdb') }],
    })
    const { origin: door, pathname, username } = new URL(server.account.dsn)
    const sent = await fetch(`${door}/api${pathname}/minidump/?sentry_key=${username}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-dmp' },
      body: new Uint8Array(dump),
    })
    expect(sent.status).toBe(200)
    const { id } = await apiOf(server).issue('EXCEPTION_STACK_OVERFLOW')
    await apiOf(server).latestEvent(id)
    const { complaints, issues, close } = await visit()
    await issues.open(id)
    const threads = issues.panel('Threads')
    await threads.getByText('till.exe+0x42').waitFor()
    await threads.getByText('0x140000042').waitFor()
    const libraries = issues.panel('Libraries')
    await libraries.getByRole('button', { name: 'Show' }).click()
    await libraries.getByText('67452301-ab89-efcd-0123-456789abcdef-1').waitFor()
    await issues.about.getByText('Same type and in-app frames: till.exe+0x42.').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('calls methods of the JVM by their class, and begins with the thread that crashed', async () => {
    const frameOf = (module: string, method: string) => ({ module, function: method, filename: 'Till.kt', lineno: 40 })
    const stacktrace = { frames: [frameOf('com.acme.shop.payment.Till', 'close')] }
    const drawing = { frames: [frameOf('android.view.ThreadedRenderer', 'draw')] }
    await sendEvents(server.account.dsn, [
      {
        platform: 'java',
        exception: { values: [{ type: 'TillShut', value: 'too late', thread_id: 1, stacktrace }] },
        threads: {
          values: [
            { id: 7, name: 'RenderThread', stacktrace: drawing },
            { id: 1, name: 'main', crashed: true, current: true },
          ],
        },
      },
    ])
    const { id } = await apiOf(server).issue('TillShut')
    await apiOf(server).latestEvent(id)
    const { page, complaints, issues, close } = await visit()
    await issues.open(id)
    await eventually(() => issues.panel('Stack trace').textContent()).toContain('com.acme.shop.payment.Till.close')
    const threads = issues.panel('Threads')
    await threads.getByText('Its stack is the one of the error, above.').waitFor()
    const chosen = threads.getByRole('combobox', { name: 'Thread' })
    expect(await chosen.textContent()).toBe('main, crashed, current')
    await chosen.click()
    await page.getByRole('option', { name: 'RenderThread' }).click()
    await eventually(() => threads.textContent()).toContain('android.view.ThreadedRenderer.draw')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('says what is different here against the other events of the project, in the room kept for it', async () => {
    const { page, complaints, issues, close } = await visit()
    const { get, issue: found } = apiOf(server)
    const many = (type: string, browser: string) =>
      Array.from({ length: 15 }, () =>
        errorEvent(type, 'no room left', { in: type, tags: { 'browser.name': browser, plan: 'free' } }),
      )
    await sendEvents(server.account.dsn, [...many('QuotaError', 'Safari'), ...many('OtherError', 'Chrome')])
    const { id } = await found('QuotaError')
    await eventually(async () => {
      const compared = await get<{ events: number; otherEvents: number }>(
        `/organizations/${ORGANIZATION}/issues/${id}/tags-compared/?key=plan`,
      )
      return compared.events === 15 && compared.otherEvents >= 15
    }).toBe(true)
    await issues.open(id)
    const who = issues.part('Who is affected')
    await who.getByText('Unlike the project’s other events:').waitFor()
    await who.getByRole('button', { name: 'Safari browser.name 100% elsewhere 0%' }).click()
    await page
      .getByRole('dialog', { name: 'browser.name' })
      .getByRole('button', { name: /^Safari/ })
      .waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('says a message once, and a long one as far as there is room, whole on demand', async () => {
    const { complaints, issues, close } = await visit()
    const rows = Array.from({ length: 40 }, (_, index) => `row ${index} has no price`)
    await sendEvents(server.account.dsn, [
      { message: `The import failed\n${rows.join('\n')}` },
      { message: 'The shop opened' },
    ])
    await issues.open((await apiOf(server).issue('The shop opened')).id)
    await issues.panel('SDK').waitFor()
    await eventually(() => issues.panel('Message').count()).toBe(0)

    await issues.open((await apiOf(server).issue('The import failed')).id)
    const message = issues.panel('Message')
    const height = async () => (await message.boundingBox())?.height ?? 0
    const more = message.getByRole('button', { name: 'Show all', expanded: false })
    await more.waitFor()
    await eventually(height).toBeLessThan(300)
    await more.click()
    await message.getByRole('button', { name: 'Show less', expanded: true }).waitFor()
    await eventually(height).toBeGreaterThan(700)
    expect(complaints.list).toEqual([])
    await close()
  })
})

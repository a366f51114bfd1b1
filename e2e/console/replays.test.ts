import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { axeViolations } from '../lib/axe.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { sendFeedback } from '../lib/feedback.ts'
import { sendRecorded } from '../lib/replays.ts'
import { errorEvent, newEventId, sendEvent } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { newTraceId, sendTransaction } from '../lib/transactions.ts'
import { until } from '../lib/until.ts'
import { sendVisit } from '../lib/visits.ts'
import { frameOf } from './pages/frame.ts'

const ORGANIZATION = 'replays'
const SHOP = 'https://shop.example'
const MADE = 60

const BUY = { tagName: 'button', attributes: { class: 'md:buy large', 'aria-label': 'Buy "now"' } }
const ZOOM = { tagName: 'a', attributes: { class: 'zoom' } }

describe('the list of replays', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  const olle = newEventId()
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  /** @param ignore complaints that the test provokes */
  const open = async (place: string, ignore: readonly RegExp[] = []) => {
    const opened = await openPage(browser, signedIn, ignore)
    await opened.page.goto(`${originOf(server)}/organizations/${ORGANIZATION}${place}`)
    return opened
  }
  const rowsOf = (page: Page): Locator => page.getByRole('table', { name: 'Replays' }).locator('[data-replay]')
  const names = (page: Page) =>
    rowsOf(page).evaluateAll((rows) => rows.map((row) => row.querySelector('a')?.innerText ?? ''))
  const search = async (page: Page, query: string): Promise<void> => {
    const field = page.getByRole('combobox', { name: 'Search replays' })
    await field.fill(query)
    await field.press('Enter')
  }

  it('says how recording is switched on while there is nothing', async () => {
    const { page, complaints, close } = await open('/replays')
    await page.getByText('No replays in this time').waitFor()
    const code = page.getByText('data-replay async')
    await code.waitFor()
    expect(await code.innerText()).toContain(server.account.dsn)
    await page.getByText('replayIntegration()').waitFor()
    await page.getByRole('link', { name: 'Set up Shop' }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  // long: one visit of a list, in which each step stands on what the one before left in the address.
  it('R26, R34, R37: what SDKs recorded is listed, searched, sorted and opened by keys', async () => {
    const { dsn } = server.account
    const startMs = Date.now() - 3_600_000
    await Promise.all([7, 8, 9, 10, 11].map((major) => sendRecorded(dsn, major)))
    const error = errorEvent('PaymentError', 'declined', { contexts: { replay: { replay_id: olle } } })
    await sendEvent(dsn, { ...error, timestamp: startMs / 1000 + 20 })
    await sendVisit(dsn, {
      replayId: olle,
      startMs,
      durationMs: 187_000,
      urls: [`${SHOP}/`, `${SHOP}/cart`, `${SHOP}/checkout/pay`],
      dead: [
        [BUY, 7],
        [ZOOM, 1],
      ],
      event: { user: { username: 'Olle Berg' }, release: 'shop@11.2' },
    })
    for (let number = 0; number < MADE; number += 1) {
      const user = { email: `visitor${number}@example.com` }
      await sendVisit(dsn, {
        startMs: startMs - 60_000 * (number + 1),
        durationMs: 1000 * (number + 1),
        event: { user },
      })
    }
    await until('all replays', async () => {
      const path = `/organizations/${ORGANIZATION}/replays/?statsPeriod=1d&per_page=100&field=id&field=count_errors`
      const { data } = await apiOf(server).get<{ data: readonly { id: string; count_errors: number }[] }>(path)
      const isReported = data.some(({ id, count_errors: errors }) => id === olle && errors === 1)
      return data.length === MADE + 6 && isReported ? data : null
    })

    const { page, complaints, close } = await open('/replays', [/status of 400 .*duration%3Asoon/])
    // Only what is in sight is drawn, and the next page is asked for in time.
    const last = rowsOf(page).filter({ hasText: `visitor${MADE - 1}@` })
    await eventually(async () => {
      await page.mouse.wheel(0, 2000)
      return last.count()
    }).toBe(1)
    expect(await rowsOf(page).count()).toBeLessThan(MADE)

    await search(page, 'url:*checkout* count_rage_clicks:>0')
    await eventually(() => names(page)).toEqual(['Olle Berg'])
    const row = rowsOf(page).first()
    for (const text of ['/cart', '/checkout/pay', 'shop@11.2', '3:07']) expect(await row.innerText()).toContain(text)
    await row.getByText('1 error').waitFor()
    // What went wrong is named, with its issue.
    const [issue] = [await apiOf(server).issue('PaymentError')]
    const link = row.getByRole('link', { name: issue.shortId })
    expect(await link.getAttribute('href')).toContain(`/issues/${issue.id}?event=`)
    expect(await row.innerText()).toContain('PaymentError: declined')

    // A tab is a search, and so is what completes one.
    await page.getByRole('navigation', { name: 'Which replays' }).getByRole('link', { name: 'All' }).click()
    await eventually(() => names(page)).toEqual(['Olle Berg'])
    const field = page.getByRole('combobox', { name: 'Search replays' })
    await field.fill('user.email:visitor59')
    await page.getByRole('option', { name: 'visitor59@example.com' }).waitFor()
    await field.press('Tab')
    await eventually(() => names(page)).toEqual(['visitor59@example.com'])
    // Words that stood on a page, and how many replays have any that can be read.
    await search(page, 'text:"Press me"')
    await page
      .getByRole('status')
      .filter({ hasText: `of ${MADE + 6} replays; the rest was masked` })
      .waitFor()
    expect(await rowsOf(page).locator('mark').first().innerText()).toBe('Press me')
    await rowsOf(page)
      .getByText(/^at 0:0\d$/)
      .first()
      .waitFor()
    expect(await rowsOf(page).getByRole('link').first().getAttribute('href')).toContain('?event_t=')
    await search(page, 'nobody-was-here')
    await page.getByText('No replay matches').waitFor()
    await search(page, 'duration:soon')
    await page.getByText('This search is not valid').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('button', { name: 'Length' }).click()
    await eventually(async () => (await names(page))[0]).toBe('Olle Berg')
    await page.getByRole('button', { name: 'Length' }).click()
    await eventually(async () => (await names(page))[0]).toBe('visitor0@example.com')

    await page.getByRole('button', { name: 'Length' }).click()
    await eventually(async () => (await names(page))[0]).toBe('Olle Berg')
    await page.getByRole('heading', { name: 'Replays' }).click()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/replays/${olle}?event_t=*`)
    await page.getByRole('heading', { name: 'Olle Berg' }).waitFor()
    // The others of the list are one key away, and Back leads to the list from each of them.
    await eventually(() => page.getByRole('navigation', { name: 'The list' }).innerText()).toContain('1 of 50+')
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: `visitor${MADE - 1}@example.com` }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'Olle Berg' }).waitFor()
    await page.goBack()
    await eventually(async () => (await names(page))[0]).toBe('Olle Berg')
    // What was opened is no longer new.
    await eventually(() => rowsOf(page).first().getByText('Not viewed yet').count()).toBe(0)
    // Addresses that Sentry's clients print lead there as well.
    const printed = `${originOf(server)}/organizations/${ORGANIZATION}/explore/replays/`
    await page.goto(`${printed}${olle}/?t=3`)
    await eventually(() => page.url()).toContain(`/organizations/${ORGANIZATION}/replays/${olle}?t=3`)
    await page.goto(`${printed}?query=${encodeURIComponent('url:*checkout* count_rage_clicks:>0')}&statsPeriod=24h`)
    await eventually(() => page.url()).toContain(`/organizations/${ORGANIZATION}/replays?query=url:*checkout*`)
    await eventually(() => names(page)).toEqual(['Olle Berg'])
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R35: the list shows the pages that were recorded, twelve at once, and asks nobody but its own server', async () => {
    const { page, complaints, close } = await open('/replays?sort=-count_urls')
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    const pictures = page.locator('[data-replay] iframe')
    await search(page, 'sdk.version:[7*,8*,9*,10*,11*]')
    await eventually(() => rowsOf(page).count()).toBe(5)
    await eventually(() => pictures.count()).toBe(5)
    for (let index = 0; index < 5; index += 1) {
      const drawn = pictures.nth(index).contentFrame().locator('iframe').contentFrame()
      await drawn.locator('h1').waitFor()
      expect(await drawn.locator('button').innerText()).not.toBe('')
      expect(await drawn.locator('script').count()).toBe(0)
    }
    expect([...asked]).toEqual([originOf(server)])
    // A window of any height has so many.
    await page.setViewportSize({ width: 1440, height: 3000 })
    await search(page, '')
    await eventually(() => rowsOf(page).count()).toBeGreaterThan(30)
    await page.mouse.move(600, 600)
    expect(await pictures.count()).toBeLessThanOrEqual(12)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R8, R37: what comes meanwhile waits until one wants to see it; what one opened is told apart', async () => {
    const { page, complaints, close } = await open('/replays')
    await eventually(() => rowsOf(page).count()).toBeGreaterThan(5)
    const before = await names(page)
    await sendVisit(server.account.dsn, { event: { user: { email: 'late@example.com' } } })
    const show = page.getByRole('button', { name: 'Show 1 new replay' })
    await show.waitFor()
    expect((await names(page)).slice(0, 5)).toEqual(before.slice(0, 5))
    await show.click()
    // By its beginning, half a minute ago: others may have begun since.
    await eventually(() => names(page)).toContain('late@example.com')

    const unseen = page.getByRole('navigation', { name: 'Which replays' }).getByRole('link', { name: 'Not seen yet' })
    await unseen.click()
    await search(page, 'seen_by_me:false user.email:late@example.com')
    await eventually(() => names(page)).toEqual(['late@example.com'])
    const noted = page.waitForResponse((answer) => answer.url().endsWith('/viewed-by/') && answer.status() === 204)
    await page.getByRole('link', { name: 'late@example.com' }).click()
    await noted
    await page.goBack()
    await page.getByText('No replay matches').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R36: elements that were clicked in vain lead to their replays', async () => {
    const { page, complaints, close } = await open('/replays')
    await page.getByRole('link', { name: 'Clicked in vain' }).click()
    const table = page.getByRole('table', { name: 'Clicked elements' })
    await eventually(() => table.getByRole('row').count()).toBe(3)
    const first = table.getByRole('row').nth(1)
    expect(await first.innerText()).toContain('button “Buy "now"”')
    expect(await first.getByRole('link').first().locator('[title]').getAttribute('title')).toBe(
      'button.md\\:buy.large[aria-label="Buy \\"now\\""]',
    )
    await table.getByRole('link', { name: '1 rage click' }).click()
    await eventually(() => names(page)).toEqual(['Olle Berg'])
    const beside = page.getByRole('region', { name: 'Most dead clicked' })
    await beside.getByRole('link', { name: 'link .zoom' }).click()
    await eventually(() => page.getByRole('combobox', { name: 'Search replays' }).inputValue()).toContain(
      'dead.selector:a.zoom',
    )
    await eventually(() => names(page)).toEqual(['Olle Berg'])
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R19, R38, R57: issues, reports, traces and visitors lead to the second of their replay, and none to one that never came', async () => {
    const { dsn } = server.account
    const replay = newEventId()
    const trace = newTraceId()
    const startMs = Date.now() - 60_000
    const user = { id: 'marta', email: 'marta@example.com' }
    // Known by another id the day before.
    const earlier = { id: 'guest-7', email: user.email, username: 'Marta before' }
    await sendVisit(dsn, { startMs: startMs - 86_400_000, event: { user: earlier } })
    await sendVisit(dsn, { replayId: replay, startMs, durationMs: 50_000, event: { user, trace_ids: [trace] } })
    const root = { op: 'pageload', name: '/checkout', from: 0, to: 900 }
    await sendTransaction(dsn, { traceId: trace, startMs: startMs + 10_000, root })
    // The report is sent while it is recorded, the recording a moment later.
    const complaint = newEventId()
    const complaintMs = Date.now() - 12_000
    await sendFeedback(dsn, { message: 'My total is gone', replay_id: complaint })
    await sendVisit(dsn, { replayId: complaint, startMs: complaintMs, durationMs: Date.now() - complaintMs + 500 })
    const errors = ['TotalError', 'NeverSentError'].map((type) => ({
      ...errorEvent(type, 'no total', { in: type }),
      timestamp: startMs / 1000 + 20,
      user,
      contexts: { replay: { replay_id: type === 'TotalError' ? replay : newEventId() } },
    }))
    for (const error of errors) await sendEvent(dsn, error)
    const api = apiOf(server)
    const [issue, other] = await Promise.all(['TotalError', 'NeverSentError'].map((type) => api.issue(type)))
    const found = async (query: string): Promise<true | null> => {
      const path = `/organizations/${ORGANIZATION}/replays/?query=${encodeURIComponent(query)}`
      return (await api.get<{ data: readonly unknown[] }>(path)).data.length === 1 ? true : null
    }
    await until('the replay and its error', () => found(`issue:${issue?.shortId ?? ''}`))
    await until('the replay of the report', () => found(`id:${complaint}`))
    await api.latestEvent(other?.id ?? '')

    const { page, complaints, close } = await open(`/issues/${issue?.id ?? ''}`)
    const atSecond = (second: string) =>
      eventually(() => page.getByRole('slider', { name: 'Time in the replay' }).getAttribute('aria-valuenow')).toBe(
        second,
      )
    await page.getByRole('link', { name: 'Replay', exact: true }).click()
    await page.waitForURL(`**/replays/${replay}?event_t=*`)
    await atSecond('20')
    await page.goBack()
    await page.getByRole('link', { name: 'Replays of this visitor' }).click()
    await eventually(() => names(page)).toEqual([user.email, earlier.username])
    const length = await rowsOf(page)
      .first()
      .getByRole('cell', { name: /^\d+:\d\d$/ })
      .innerText()
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/people?user=${encodeURIComponent('id:marta')}`)
    const visits = page.getByRole('article')
    // The day before they had another id, and the same address.
    await eventually(() => visits.getByRole('link', { name: /^\d+:\d\d$/ }).count()).toBe(2)
    await visits.first().getByRole('link', { name: length, exact: true }).click()
    await page.waitForURL(`**/replays/${replay}`)
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues/${issue?.id ?? ''}`)
    await page.getByRole('navigation', { name: 'Views of the issue' }).getByRole('link', { name: 'Replays 1' }).click()
    await eventually(() => names(page)).toEqual([user.email])
    expect(new URL(page.url()).searchParams.get('query')).toBe(`issue:${issue?.shortId ?? ''}`)

    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/traces/${trace}`)
    await page.getByRole('link', { name: 'Replay', exact: true }).click()
    await atSecond('10')
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/feedback`)
    await page.getByRole('link', { name: 'My total is gone' }).click()
    await page.getByRole('link', { name: /^Play from 0:1\d$/ }).click()
    await page.waitForURL(`**/replays/${complaint}?t=*`)
    await atSecond(new URL(page.url()).searchParams.get('t') ?? '')

    const counted = page.waitForResponse((answer) => answer.url().includes('replay_id'))
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues/${other?.id ?? ''}`)
    await counted
    await page.getByRole('link', { name: 'Replays of this visitor' }).waitFor()
    expect(await page.getByRole('link', { name: 'Replay', exact: true }).count()).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R101: replays are deleted for good', async () => {
    const { page, complaints, close } = await open('/replays?query=visitor2')
    // visitor2 and visitor20 to 29
    await eventually(() => rowsOf(page).count()).toBe(11)
    await page.getByRole('checkbox', { name: 'Select the replay of visitor20@example.com' }).click()
    await page
      .getByRole('checkbox', { name: 'Select the replay of visitor22@example.com' })
      .click({ modifiers: ['Shift'] })
    const bar = page.getByRole('toolbar', { name: 'Change selected replays' })
    await bar.getByText('3 selected').waitFor()
    await bar.getByRole('button', { name: 'Delete' }).click()
    const { message, question } = frameOf(page)
    await question.getByText('Delete 3 replays?').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await message('3 replays deleted')
    await eventually(() => rowsOf(page).count()).toBe(8)
    expect((await names(page)).filter((name) => /visitor2[0-2]@/.test(name))).toEqual([])

    // All that a search finds, also what is not loaded; whoever asks for it writes how many they are.
    const wanted = encodeURIComponent('visitor2 !user.email:visitor2@example.com')
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/replays?query=${wanted}`)
    await eventually(() => rowsOf(page).count()).toBe(7)
    await page.getByLabel('More', { exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete all that match…' }).click()
    await question.getByText('Delete 7 replays for good?').waitFor()
    await question.getByText('visitor2 !user.email:visitor2@example.com').waitFor()
    expect(await axeViolations(page)).toEqual([])
    const confirm = question.getByRole('button', { name: 'Delete 7 replays' })
    expect(await confirm.isDisabled()).toBe(true)
    await question.getByLabel('Type 7 to confirm').fill('7')
    await confirm.click()
    await message('7 replays deleted')
    await page.getByText('No replay matches').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R102, R103, R105: stars keep replays, all of a visitor are deleted, and the project says what they take', async () => {
    const startMs = Date.now() - 120_000
    const user = { id: 'leaves', email: 'leaves@example.com' }
    const [first] = [newEventId(), newEventId()].map((replayId, index) => {
      void sendVisit(server.account.dsn, {
        replayId,
        startMs: startMs + index * 10_000,
        durationMs: 5000,
        event: { user },
      })
      return replayId
    })
    await until('both replays', async () => {
      const path = `/organizations/${ORGANIZATION}/replays/?query=user.id:leaves`
      return (await apiOf(server).get<{ data: readonly unknown[] }>(path)).data.length === 2 ? true : null
    })
    const { page, complaints, close } = await open('/replays?query=user.id:leaves')
    await eventually(() => rowsOf(page).count()).toBe(2)
    const star = (of: Locator | Page) => of.getByRole('button', { name: /Star: keep it|Take the star away/ })
    await star(rowsOf(page).first()).click()
    await eventually(() => star(rowsOf(page).first()).getAttribute('aria-pressed')).toBe('true')
    await until('the star', async () => {
      const path = `/organizations/${ORGANIZATION}/replays/?query=is:starred`
      return (await apiOf(server).get<{ data: readonly unknown[] }>(path)).data.length === 1 ? true : null
    })
    await search(page, 'is:starred')
    await eventually(() => rowsOf(page).count()).toBe(1)

    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/settings/projects/shop?tab=replays`)
    await page.getByText(/^Recordings and videos as they were sent.* Starred: 1 replay, /).waitFor()
    await page.getByLabel('Keep replays for').fill('9999')
    await page.getByLabel('Use at most').fill('2.5')
    await page.locator('form').filter({ hasText: 'Keep replays for' }).getByRole('button', { name: 'Save' }).click()
    await page.getByText(/Whole days, from 1 to \d+; empty/).waitFor()
    await page.getByLabel('Keep replays for').fill('14')
    await page.locator('form').filter({ hasText: 'Keep replays for' }).getByRole('button', { name: 'Save' }).click()
    const { message, question } = frameOf(page)
    await message('Saved; what is beyond the limits goes within ten minutes')
    await page.getByText(/ of 2\.5 GB in /).waitFor()

    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/replays/${first}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('menuitem', { name: 'Delete all replays of this visitor' }).click()
    await question.getByText('Delete 2 replays of this visitor?').waitFor()
    await question.getByText('leaves@example.com').waitFor()
    await question.getByRole('button', { name: 'Delete 2 replays' }).click()
    await message('2 replays of this visitor are being deleted')
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/settings/projects/shop?tab=replays`)
    const job = page.getByRole('table', { name: 'Deletions of replays' }).getByRole('row').nth(1)
    await job.getByText('visitor leaves, leaves@example.com').waitFor()
    await job.getByText('Done').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })
})

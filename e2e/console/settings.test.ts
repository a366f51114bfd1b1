import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { type Complaints, openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { withinOneHour } from '../lib/hour.ts'
import { errorEvent, sendEvent, sendEvents } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { serveSite } from '../lib/site.ts'
import { until } from '../lib/until.ts'
import { type Frame, frameOf } from './pages/frame.ts'
import { issuePageOf } from './pages/issue.ts'
import { logInPage } from './pages/log-in.ts'
import { type Settings, settingsOf } from './pages/settings.ts'

const ORGANIZATION = 'settings'

const ADMIN = { name: 'Ada', email: 'ada@example.com', password: 'a third set of words' }
const VIEWER = { email: 'vic@example.com', password: 'entirely different words' }

/** Without an address of its own an event gets the sender's, which is this machine's. */
const VISITOR = { user: { ip_address: '203.0.113.7' } }

describe('the settings', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  let origin: string

  const visit = async (
    ignore: readonly RegExp[] = [],
  ): Promise<{ page: Page; complaints: Complaints; settings: Settings; frame: Frame; close(): Promise<void> }> => {
    const opened = await openPage(browser, signedIn, ignore)
    return { ...opened, settings: settingsOf(opened.page, ORGANIZATION, origin), frame: frameOf(opened.page) }
  }
  /** To be asked for before a control is used: what is chosen there has reached the server. */
  const preferencesKept = (page: Page): Promise<unknown> =>
    page.waitForResponse((response) => response.request().method() === 'PUT' && response.url().includes('/users/me/'))
  /** What the account keeps. */
  const optionsOf = (page: Page): Promise<unknown> =>
    page.evaluate(async () => {
      const session = (await (await fetch('/api/0/auth/session/')).json()) as { user: { options: unknown } }
      return session.user.options
    })
  /** Sends until the answer is as wanted: settings reach the door within its cache's five seconds. */
  const untilAnswered = (dsn: string, status: number): Promise<Response> =>
    until(`the answer ${status}`, async () => {
      const answer = await sendEvent(dsn, { message: 'is anybody there?' })
      return answer.status === status ? answer : null
    })

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    origin = originOf(server)
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it('time zone, clock and theme go with the account, to every time that is shown and to every device', async () => {
    await sendEvents(server.account.dsn, [
      { ...errorEvent('ZoneError', 'where am I?', VISITOR), timestamp: Date.now() / 1000 - 3600 },
    ])
    const { id } = await apiOf(server).issue('ZoneError')
    const { page, complaints, settings, close } = await visit()
    await settings.open('account')
    const before = await optionsOf(page)
    await page.getByRole('combobox', { name: /^Time zone:/ }).click()
    await page.getByRole('combobox', { name: 'Time zone', exact: true }).fill('tokyo')
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
    await page.getByText(/^For every time shown here\. It is now .*(GMT\+9|JST)\.$/).waitFor()
    await page.getByRole('switch', { name: /^24-hour clock/ }).click()
    await page.getByText(/It is now .*[ap]m.*(GMT\+9|JST)\.$/i).waitFor()
    await page.getByRole('radio', { name: 'Dark' }).click()
    const wanted = { theme: 'dark', timezone: 'Asia/Tokyo', clock24Hours: false, feedbackButton: false }
    await eventually(() => optionsOf(page)).toEqual(wanted)
    await close()

    const elsewhere = await openPage(browser, { ...(await signIn(server)), colorScheme: 'light' })
    await issuePageOf(elsewhere.page, ORGANIZATION, origin).open(id)
    await eventually(() => elsewhere.page.locator('time[title]').first().getAttribute('title')).toMatch(
      /[ap]m.*(GMT\+9|JST)$/i,
    )
    await eventually(() => elsewhere.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    const own = settingsOf(elsewhere.page, ORGANIZATION, origin)
    await own.open('account')
    await elsewhere.page.getByRole('radio', { name: 'Same as device' }).click()
    await elsewhere.page.getByRole('switch', { name: /^24-hour clock/ }).click()
    await elsewhere.page.getByRole('combobox', { name: /^Time zone:/ }).click()
    await elsewhere.page.getByRole('option', { name: /^Same as device/ }).click()
    await elsewhere.page.getByRole('combobox', { name: 'Time zone: same as device' }).waitFor()
    // Three changes at once, and all of them are kept before the page goes.
    await eventually(() => optionsOf(elsewhere.page)).toEqual(before)
    expect([complaints.list, elsewhere.complaints.list]).toEqual([[], []])
    await elsewhere.close()
  })

  it('rename a project', async () => {
    const { page, complaints, settings, frame, close } = await visit()
    await settings.open('projects/shop')
    await page.getByLabel('Name', { exact: true }).fill('The shop')
    await settings.panel('General').getByRole('button', { name: 'Save' }).click()
    await frame.message('Project saved')
    await page.getByRole('heading', { level: 1, name: 'The shop' }).waitFor()
    await frame.navigation.getByRole('link', { name: 'The shop' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'The shop' }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('make a key with a limit that an SDK runs into, and switch it off and on', async () => {
    const { page, complaints, settings, frame, close } = await visit()
    await settings.open('projects/shop?tab=keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await frame.dialog.getByLabel('Name', { exact: true }).fill('website')
    await frame.dialog.getByLabel('Rate limit').fill('2')
    await frame.dialog.getByRole('button', { name: 'Create key' }).click()
    await frame.message('Key website created')
    const key = settings.row('website')
    await key.getByText('Limit: 2 per hour').waitFor()
    const dsn = await key.locator('code').first().innerText()

    const site = await serveSite(`
      import * as Sentry from 'sentry-browser-11'
      Sentry.init({ dsn: ${JSON.stringify(dsn)} })
      globalThis.capture = (text) => { Sentry.captureMessage(text); return Sentry.flush(10000) }
    `)
    await withinOneHour()
    const visitor = await openPage(browser, {}, [/status of 429/])
    const answers: number[] = []
    visitor.page.on('response', (response) => {
      if (response.url().includes('/envelope/') && response.request().postData()?.includes('"type":"event"') === true)
        answers.push(response.status())
    })
    await visitor.page.goto(site.url)
    for (const text of ['one', 'two', 'three']) await visitor.page.evaluate(`capture('visit ${text}')`)
    await eventually(() => answers).toEqual([200, 200, 429])
    expect(visitor.complaints.list).toEqual([])
    await visitor.close()
    await site.close()

    await frame.choose(key.getByRole('button', { name: 'More for key website' }), 'Switch off')
    await key.getByText('Switched off').waitFor()
    const refusal = await untilAnswered(dsn, 403)
    expect(await refusal.json()).toMatchObject({ detail: expect.any(String) })
    await frame.choose(key.getByRole('button', { name: 'More for key website' }), 'Switch on')
    await key.getByText('Switched off').waitFor({ state: 'hidden' })
    await untilAnswered(dsn, 429)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('filter what comes next', async () => {
    const { page, complaints, settings, frame, close } = await visit()
    await settings.open('projects/shop?tab=filters')
    await page.getByRole('switch', { name: /^Localhost/ }).click()
    await page.getByLabel('Error messages').fill('*ResizeObserver loop*')
    await page.getByRole('button', { name: 'Save' }).click()
    await frame.message('Filters saved')
    await page.reload()
    await eventually(() => page.getByRole('switch', { name: /^Localhost/ }).getAttribute('aria-checked')).toBe('true')

    const reasons = async (): Promise<readonly string[]> => {
      const { totals } = await apiOf(server).receipts()
      return totals.filter((row) => row.outcome === 'filtered').map((row) => row.reason)
    }
    await until('filtered events', async () => {
      await sendEvents(server.account.dsn, [
        { message: 'from my machine', request: { url: 'http://localhost:5173/' } },
        errorEvent('Error', 'ResizeObserver loop limit exceeded', VISITOR),
      ])
      const seen = await reasons()
      return seen.includes('localhost') && seen.includes('error_message') ? true : null
    })
    expect(complaints.list).toEqual([])
    await close()
  })

  it('invite a viewer, who joins, looks, and may not change anything', async () => {
    const { page, complaints, settings, frame, close } = await visit()
    await sendEvents(server.account.dsn, [errorEvent('ViewedError', 'seen by many', VISITOR)])
    const issue = await apiOf(server).issue('ViewedError')

    await settings.open('members')
    await page.getByRole('button', { name: 'Invite someone' }).click()
    await frame.dialog.getByLabel('E-mail').fill(VIEWER.email)
    await frame.select(frame.dialog.getByRole('combobox', { name: 'Role' }), /^Viewer/)
    await frame.dialog.getByRole('button', { name: 'Create link' }).click()
    await frame.dialog.getByText('Invitation link').waitFor()
    const link = await settings.secret.innerText()
    await frame.dialog.getByRole('button', { name: 'Done' }).click()
    await settings.row(VIEWER.email).getByText('Invited', { exact: true }).waitFor()

    const guest = await openPage(browser, {}, [/status of 403/])
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: `Join ${ORGANIZATION}` }).waitFor()
    await guest.page.getByText('You are invited as a viewer.').waitFor()
    await guest.page.getByLabel('Your name').fill('Vic')
    await guest.page.getByLabel('Password', { exact: true }).fill(VIEWER.password)
    await guest.page.getByRole('button', { name: `Join ${ORGANIZATION}` }).click()
    await guest.page.getByRole('table', { name: 'Issues' }).waitFor()

    const issues = issuePageOf(guest.page, ORGANIZATION, origin)
    await issues.open(issue.id)
    await guest.page.getByRole('button', { name: 'Share' }).waitFor()
    expect(await guest.page.getByRole('button', { name: /^Resolve|^Archive/ }).count()).toBe(0)
    await guest.page.keyboard.press('e')
    const refusal = await guest.page.evaluate(async (path) => {
      const session = (await (await fetch('/api/0/auth/session/')).json()) as { csrfToken: string }
      const answer = await fetch(path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-csrf-token': session.csrfToken },
        body: JSON.stringify({ status: 'resolved' }),
      })
      return answer.status
    }, `/api/0/organizations/${ORGANIZATION}/issues/${issue.id}/`)
    expect(refusal).toBe(403)
    expect((await apiOf(server).issue('ViewedError')).status).toBe('unresolved')

    await guest.page.goto(link)
    await guest.page.getByText('This invitation is no longer valid').waitFor()
    await page.reload()
    await settings.row('Vic').getByText('Invited', { exact: true }).waitFor({ state: 'hidden' })
    expect(complaints.list).toEqual([])
    await guest.close()
    await close()
  })

  it.each([
    ['of the organisation', 'tokens', /created .* by you/, /^sntrys_/],
    ['of a person', 'account', /created/, /^sntryu_/],
  ])('make a token %s that works until it is revoked', async (_, part, words, form) => {
    const { page, complaints, settings, frame, close } = await visit()
    await settings.open(part)
    await page.getByRole('button', { name: 'New token' }).click()
    await frame.dialog.getByLabel('Name', { exact: true }).fill('grafana')
    await frame.dialog.getByRole('button', { name: 'Create token' }).click()
    await frame.dialog.getByRole('heading', { name: 'Token grafana' }).waitFor()
    const token = await settings.secret.innerText()
    expect(token).toMatch(form)
    await frame.dialog.getByRole('button', { name: 'Done' }).click()
    await settings.row('grafana').getByText(words).waitFor()
    const ask = async (): Promise<number> => {
      const answer = await fetch(`${origin}/api/0/organizations/${ORGANIZATION}/issues/`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return answer.status
    }
    expect(await ask()).toBe(200)
    await page.getByRole('button', { name: 'Revoke grafana' }).click()
    await frame.question.getByRole('button', { name: 'Revoke token' }).click()
    await frame.message('Token grafana revoked')
    await eventually(ask).toBe(401)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('show who made a token, which ends when they are removed', async () => {
    const { page, complaints, settings, frame, close } = await visit()
    const api = (path: string, headers: Record<string, string>, body?: unknown, method = 'POST') =>
      fetch(`${origin}/api/0${path}`, {
        method: body === undefined && method === 'POST' ? 'GET' : method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const owner = { authorization: `Bearer ${server.account.token}` }
    const invited = await api(`/organizations/${ORGANIZATION}/members/`, owner, { email: ADMIN.email, role: 'admin' })
    const { inviteLink } = (await invited.json()) as { inviteLink: string }
    const joined = await api(`/accept-invite/${inviteLink.split('/').at(-1) ?? ''}/`, {}, ADMIN)
    const { csrfToken } = (await joined.json()) as { csrfToken: string }
    const adminsOwn = {
      cookie: (joined.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
      'x-csrf-token': csrfToken,
    }
    const wanted = { name: 'ada’s script', scopes: ['org:read'] }
    const { token } = (await (await api(`/organizations/${ORGANIZATION}/api-tokens/`, adminsOwn, wanted)).json()) as {
      token: string
    }
    const use = async () => (await api(`/organizations/${ORGANIZATION}/`, { authorization: `Bearer ${token}` })).status
    expect(await use()).toBe(200)

    await settings.open('tokens')
    await settings
      .row('ada’s script')
      .getByText(/created .* by Ada$/)
      .waitFor()
    await settings.open('members')
    await frame.choose(page.getByRole('button', { name: 'More for Ada' }), 'Remove…')
    await frame.question.getByText(/API tokens that they made stop working/).waitFor()
    await frame.question.getByRole('button', { name: 'Remove' }).click()
    await frame.message('Ada removed')
    await eventually(use).toBe(401)
    await settings.open('tokens')
    await settings.row('setup').first().waitFor()
    await eventually(() => settings.row('ada’s script').count()).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('end one session of one’s own, after a question; the others go on', async () => {
    const { page, complaints, settings, frame, close } = await visit()
    const phone = await openPage(browser, await signIn(server), [/status of 401/])
    const tablet = await openPage(browser, await signIn(server), [/status of 401/])
    const issuesOf = (other: { page: Page }) => other.page.goto(`${origin}/organizations/${ORGANIZATION}/issues`)
    await settings.open('account')
    const panel = settings.panel('Signed in at')
    const rows = panel.getByRole('listitem')
    await panel.getByText('This one').waitFor()
    const before = await rows.count()
    expect(before).toBeGreaterThan(2)
    // The newest of the others is the tablet's; the keyboard asks, and takes the question back.
    const first = rows.filter({ hasNotText: 'This one' }).first()
    await first.getByRole('button', { name: /^End .* at 127\.0\.0\.1$/ }).focus()
    await page.keyboard.press('Enter')
    await frame.question.getByText(/is signed out at once/).waitFor()
    await page.keyboard.press('Escape')
    await frame.question.waitFor({ state: 'hidden' })
    await eventually(() => rows.count()).toBe(before)

    await first.getByRole('button', { name: /^End / }).click()
    await frame.question.getByRole('button', { name: 'End session' }).click()
    await frame.message('The session is ended')
    await eventually(() => rows.count()).toBe(before - 1)
    // The row is gone; the keyboard goes on at the next one.
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')).toMatch(
      /^End .* at 127/,
    )
    await issuesOf(tablet)
    await logInPage(tablet.page).heading.waitFor()
    await issuesOf(phone)
    await phone.page.getByRole('table', { name: 'Issues' }).waitFor()

    await panel.getByRole('button', { name: 'End all others' }).click()
    await frame.question.getByRole('button', { name: 'End all others' }).click()
    await frame.message('All other sessions are ended')
    await eventually(() => rows.count()).toBe(1)
    await issuesOf(phone)
    await logInPage(phone.page).heading.waitFor()
    await page.reload()
    await panel.getByText('This one').waitFor()
    expect(complaints.list).toEqual([])
    await phone.close()
    await tablet.close()
    await close()
  })

  it('keep the dark theme over a reload, painted before the first line of the console runs', async () => {
    const { page, complaints, settings, close } = await visit([/ERR_FAILED/])
    await settings.open('account')
    const kept = preferencesKept(page)
    await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'Dark' }).click()
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
    await eventually(theme).toBe('dark')
    await kept

    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    expect(await theme()).toBe('dark')
    const [red = 255] = await page.evaluate(
      () => getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g)?.map(Number) ?? [],
    )
    expect(red).toBeLessThan(60)
    await page.unroute('**/assets/*.js')
    await page.reload()
    await page.getByRole('radio', { name: 'Dark' }).waitFor()
    await eventually(theme).toBe('dark')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('change the password, which ends other sessions', async () => {
    const { complaints, settings, frame, close } = await visit([/status of 40[01]/])
    const other = await openPage(browser, await signIn(server), [/status of 401/])
    await settings.open('account')
    const panel = settings.panel('Password')
    await panel.getByLabel('Current password').fill('wrong')
    await panel.getByLabel('New password', { exact: true }).fill('a new and longer phrase')
    await panel.getByRole('button', { name: 'Change password' }).click()
    await panel.getByText('This is not your current password.').waitFor()
    await panel.getByLabel('Current password').fill(server.owner.password)
    await panel.getByRole('checkbox', { name: 'Revoke my personal tokens as well' }).check()
    await panel.getByRole('button', { name: 'Change password' }).click()
    await frame.message(/^Password changed.*personal tokens revoked/)
    await eventually(() => panel.getByRole('checkbox').isChecked()).toBe(false)

    await other.page.goto(`${origin}/organizations/${ORGANIZATION}/issues`)
    const logIn = logInPage(other.page)
    await logIn.heading.waitFor()
    await logIn.submit(server.owner.email, 'a new and longer phrase')
    await other.page.getByRole('table', { name: 'Issues' }).waitFor()
    expect(complaints.list).toEqual([])
    await other.close()
    await close()
  })
})

import { readFileSync } from 'node:fs'
import type { ProfileSummary } from '@firsthand/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { sendProfile } from '../lib/profiles.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { serveSite } from '../lib/site.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'profiles'
const TRANSACTION = 'POST /api/orders'
const ATTEMPTS = 6
/** A trace writes to its address what is selected, once it rests. */
const LONGER_THAN_ADDRESSES_REST_MS = 1000
/** A profile that is not there after so long was never sent. */
const UNSENT_MS = 10_000

/**
 * Two functions that are busy below a third, in one root span. The profiler of a browser takes a moment to begin, on a busy
 * machine a long one: each press waits longer for it.
 */
const application = (dsn: string): string => `
  import * as Sentry from 'sentry-browser-11'
  Sentry.init({
    dsn: ${JSON.stringify(dsn)}, release: 'site@1', tracesSampleRate: 1,
    integrations: [Sentry.browserProfilingIntegration()], profileSessionSampleRate: 1, profileLifecycle: 'trace',
  })
  function busy(milliseconds) { const end = performance.now() + milliseconds; let sum = 0; while (performance.now() < end) sum += Math.sqrt(sum + 1); return sum }
  function weighTea() { return busy(150) }
  function brewTea() { return busy(250) }
  function makeTea() { weighTea(); brewTea() }
  let waited = 0
  document.getElementById('tea').addEventListener('click', async () => {
    waited += 250
    await Sentry.startSpan({ name: 'make tea', op: 'ui.action', forceTransaction: true }, async () => {
      await new Promise((resolve) => setTimeout(resolve, waited))
      Sentry.startSpan({ name: 'brew', op: 'function' }, makeTea)
    })
    await Sentry.flush()
  })
`

describe('flame graphs', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  const at = (path: string) => `${originOf(server)}/organizations/${ORGANIZATION}/${path}`
  const stored = (what: (profile: ProfileSummary) => boolean): Promise<ProfileSummary> =>
    until('the profile', async () => {
      const found = await apiOf(server).get<ProfileSummary[]>(`/organizations/${ORGANIZATION}/profiles/`)
      return found.find(what) ?? null
    })
  /** Presses until a profile has samples of these functions. @returns the trace in which they ran */
  const traceWith = async (names: readonly string[], press: () => Promise<void>): Promise<string> => {
    const base = `/organizations/${ORGANIZATION}`
    const api = apiOf(server)
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      await press()
      const traceId = await until(`the trace of press ${attempt}`, async () => {
        const { slowest } = await api.get<{ slowest: { traceId: string }[] }>(
          `${base}/transactions/summary/?transaction=make%20tea`,
        )
        // Each waits longer than the one before.
        return slowest.length === attempt ? (slowest[0]?.traceId ?? null) : null
      })
      // One without samples is not sent.
      const [chunk] = await until(
        `the profile of press ${attempt}`,
        async () => {
          const found = await api.get<ProfileSummary[]>(`${base}/traces/${traceId}/profiles/`)
          return found.length > 0 ? found : null
        },
        UNSENT_MS,
      ).catch(() => [])
      if (chunk === undefined) continue
      const { words } = await api.get<{ words: string[] }>(`${base}/profiles/${chunk.id}/`)
      // A profiler that began in the middle saw the last of them alone.
      if (names.every((name) => words.includes(name))) return traceId
    }
    throw new Error(`the profiler of the browser did not see ${names.join(' and ')} in ${ATTEMPTS} presses`)
  }
  const graphOf = (page: Page) => page.getByRole('application', { name: /levels of calls/ })
  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).first()
  const details = (page: Page) => page.getByRole('complementary', { name: 'Details' })

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it('T13 T82 of a real page: from a span of its trace to what ran in it', async () => {
    const site = await serveSite(application(server.account.dsn), '<button id="tea">Tea</button>', {
      'document-policy': 'js-profiling',
    })
    const visitor = await openPage(browser)
    await visitor.page.goto(site.url)
    const traceId = await traceWith(['weighTea', 'brewTea'], () => visitor.page.click('#tea'))
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(at(`traces/${traceId}`))
    await page.getByRole('treegrid', { name: 'Spans' }).getByRole('row').filter({ hasText: 'brew' }).click()
    // The screen of profiles takes its time to load; meanwhile the trace must not write its own address over the next one.
    const loaded = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      await loaded.promise
      await route.continue()
    })
    await details(page).getByRole('link', { name: 'Profile' }).click()
    await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), LONGER_THAN_ADDRESSES_REST_MS)
    loaded.resolve()
    await graphOf(page).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await rowOf(page, 'busy').getByRole('button').click()
    await details(page).getByRole('heading', { name: 'busy' }).waitFor()
    await details(page).getByRole('button', { name: 'brewTea' }).click()
    await details(page).getByRole('heading', { name: 'brewTea' }).waitFor()
    await details(page).getByRole('button', { name: 'makeTea' }).waitFor()
    await page.getByRole('link', { name: 'Open trace' }).waitFor()
    // The sum of the transaction has the same, cut to its time.
    await page.goto(at('performance/summary?transaction=make%20tea'))
    await page.getByRole('link', { name: 'Sum of all' }).click()
    await rowOf(page, 'weighTea').waitFor()
    expect(complaints.list).toEqual([])
    await Promise.all([close(), visitor.close(), site.close()])
  })

  it('T50 T63 T81 T83 of a profile: threads, sums, search, keys, file, and from the transaction and to its trace', async () => {
    const id = await sendProfile(server.account.dsn, { transaction: TRANSACTION })
    await stored((profile) => profile.id === id)
    const ofIt = `/organizations/${ORGANIZATION}/profiles/?transaction=${encodeURIComponent(TRANSACTION)}`
    const listed = await apiOf(server).get<ProfileSummary[]>(ofIt)
    const saved = await apiOf(server).get(`${ofIt}&format=json`)
    expect(saved).toEqual({ data: listed, meta: { truncated: false } })
    const { page, complaints, close } = await openPage(browser, { ...signedIn, acceptDownloads: true })
    await page.goto(at(`performance/summary?transaction=${encodeURIComponent(TRANSACTION)}`))
    await page.getByRole('region', { name: 'Profiles' }).getByRole('link', { name: TRANSACTION }).click()
    await graphOf(page).waitFor()
    await eventually(() => rowOf(page, 'loadTable').textContent()).toContain('60 ms')
    await eventually(() => rowOf(page, 'handleOrder').textContent()).toContain('90 ms')
    await page.getByRole('switch', { name: /Waiting, 10 ms/ }).waitFor()

    await graphOf(page).focus()
    await page.keyboard.press('ArrowDown')
    await details(page).getByRole('heading', { name: 'handleOrder' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await details(page).getByRole('heading', { name: 'loadTable' }).waitFor()
    await details(page).getByText('total, 67%').waitFor()
    await eventually(() => page.getByRole('status').allTextContents()).toContainEqual(
      expect.stringMatching(/^loadTable, 30 ms, .*, level 2$/),
    )
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'All of it' }).waitFor()
    await graphOf(page).click({ position: { x: 40, y: 10 } })
    await details(page).getByRole('heading', { name: 'handleOrder' }).waitFor()
    await page.getByRole('button', { name: 'All of it' }).click()
    await eventually(() => page.getByRole('button', { name: 'All of it' }).count()).toBe(0)

    const field = page.getByRole('textbox', { name: 'Search functions' })
    await field.fill('node_modules')
    await eventually(() => page.getByRole('search').textContent()).toContain('1 · 33%')
    await eventually(() => rowOf(page, 'loadTable').count()).toBe(0)
    await field.press('Enter')
    await details(page).getByRole('heading', { name: 'query' }).waitFor()
    await field.fill('no such function')
    await page.getByText('No function matches').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('POST-api-orders.speedscope.json')
    const exported = JSON.parse(readFileSync(await file.path(), 'utf8')) as { profiles: { weights: number[] }[] }
    expect(exported.profiles[0]?.weights.reduce((sum, weight) => sum + weight, 0)).toBe(100_000)

    await page.getByRole('combobox', { name: 'Thread' }).click()
    await page.getByRole('option', { name: /worker/ }).click()
    await eventually(() => rowOf(page, 'loadTable').count()).toBe(0)
    await page.getByRole('link', { name: 'Sum of all' }).click()
    await eventually(() => rowOf(page, 'loadTable').textContent()).toContain('60 ms')
    await page.goBack()
    await page.getByRole('link', { name: 'Open trace' }).click()
    await page.getByRole('treegrid', { name: 'Spans' }).waitFor()
    // There it lies on the line of time: keys lead from one function to the next, and Enter to what ran in that stretch.
    const stretch = page.getByRole('link', { name: /^Profile, / })
    await stretch.focus()
    await page.keyboard.press('Home')
    await eventually(() => stretch.getAttribute('aria-label')).toMatch(/loadTable, 30 ms itself, of 30 ms that ran/)
    await page.keyboard.press('ArrowRight')
    await eventually(() => stretch.getAttribute('aria-label')).toMatch(/query, 20 ms itself/)
    await page.keyboard.press('Enter')
    await eventually(() => rowOf(page, 'query').textContent()).toContain('20 ms')
    await eventually(() => rowOf(page, 'loadTable').count()).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('says what it means that there is none', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, [/status of 404/])
    await page.goto(at(`profiles/${'0'.repeat(32)}`))
    await page.getByText('Nothing is known of this profile').waitFor()
    await page.goto(at('profiles/sum?transaction=never'))
    await page.getByText('No profile of it in this time').waitFor()
    await page.goto(at('performance?environment=nowhere'))
    await page.getByRole('navigation', { name: 'Parts of performance' }).getByRole('link', { name: 'Profiles' }).click()
    await page.getByText('No profile in this time').waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Commands' })
    await palette.getByRole('combobox').fill('4bf92f35-77b3-4da6-a3ce-929d0e0e4736')
    await palette.getByRole('option', { name: 'Open trace 4bf92f3577b34da6a3ce929d0e0e4736' }).waitFor()
    await palette.getByRole('combobox').fill('flame')
    await palette.getByRole('option', { name: 'Profiles' }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })
})

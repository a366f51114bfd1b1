import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { type CallAs, withColleague } from '../lib/colleague.ts'
import { eventually } from '../lib/eventually.ts'
import { newEventId, sendItems } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'healthy'
const ORG = `/organizations/${ORGANIZATION}`
const BEFORE = 'till@1.0.0'
const NOW = 'till@1.1.0'
const SILENT = 'till@1.2.0'
const HOUR_MS = 3_600_000

describe('health of releases', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  let origin: string
  let ann: CallAs

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    origin = originOf(server)
    ;({ owner: ann } = await withColleague(server, 'Ben Ito'))
    const begun = Date.now()
    const session = (release: string, place: number, isCrash: boolean, hoursAgo: number) => {
      const started = new Date(begun - hoursAgo * HOUR_MS + place * 1000).toISOString()
      const status = isCrash ? 'crashed' : 'exited'
      return {
        type: 'session',
        payload: {
          sid: newEventId(),
          init: true,
          started,
          timestamp: started,
          status,
          errors: isCrash ? 1 : 0,
          duration: 60,
          did: `person ${place % 20}`,
          attrs: { release, environment: 'production' },
        },
      }
    }
    const items = [
      ...Array.from({ length: 50 }, (_, place) => session(BEFORE, place, place === 0, 10)),
      ...Array.from({ length: 40 }, (_, place) => session(NOW, place, place < 4, 2)),
    ]
    await sendItems(server.account.dsn, items)
    await ann('POST', `${ORG}/releases/`, { version: SILENT, projects: [server.account.project] })
    const asked = `${ORG}/release-health/?release=${NOW}&release=${BEFORE}`
    await until('its sessions', async () => {
      const found = await ann<{ sessions: { total: number } }[]>('GET', asked)
      return found.reduce((sum, { sessions }) => sum + sessions.total, 0) === items.length ? true : null
    })
    await until('its releases', async () =>
      (await ann<unknown[]>('GET', `${ORG}/releases/`)).length === 3 ? true : null,
    )
    signedIn = await signIn(server)
  })
  afterAll(() => closePages(browser))

  it('L97: the list says how many sessions had no crash, of how many, and nothing of a release without any', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${origin}${ORG}/releases`)
    const row = (version: string) =>
      page.getByRole('table', { name: 'Releases' }).getByRole('row').filter({ hasText: version })
    await row('1.1.0').getByText('90.00%').waitFor()
    await row('1.1.0').getByText('of 40').first().waitFor()
    await row('1.1.0').getByText('44%').waitFor()
    await row('1.1.0').getByText('adopted in production').waitFor()
    await row('1.0.0').getByText('98.00%').waitFor()
    await eventually(() => row('1.2.0').getByText('–', { exact: true }).count()).toBe(2)
    expect(await row('1.2.0').getByText('100%').count()).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('a release is set beside the one before it, with every number that is behind its rates', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${origin}${ORG}/releases/${NOW}`)
    await page.getByText('1 in 10 of its sessions crashed; of the release before at that age it was 1 in 50.').waitFor()
    const numbers = page.getByRole('region', { name: 'Sessions', exact: true })
    await numbers.getByText('90.00%').waitFor()
    await numbers.getByText('−8.00').waitFor()
    await numbers.getByText('crash-free sessions, of 40').waitFor()
    await numbers.getByText('80.00%').waitFor()
    await numbers.getByText('crash-free users, of 20').waitFor()
    await numbers.getByText('of 90 today').waitFor()
    await numbers.getByText('sessions would not have crashed at the rate of 1.0.0').waitFor()
    const crashed = page
      .getByRole('table', { name: 'How its sessions ended' })
      .getByRole('row')
      .filter({ hasText: 'Crashed' })
    await eventually(() => crashed.getByRole('cell').allInnerTexts()).toEqual(['Crashed', '4', '10.00%', '2.00%', '4'])
    expect(complaints.list).toEqual([])
    await close()
  })

  it('a release without sessions says so, and what to do', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${origin}${ORG}/releases/${SILENT}`)
    await page.getByText('No sessions were sent for this release').waitFor()
    await page.getByText("release: 'till@1.2.0'").waitFor()
    expect(await page.getByRole('region', { name: 'Sessions', exact: true }).count()).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })
})

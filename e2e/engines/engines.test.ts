import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Feedback, FeedbackDetail } from '../../packages/contract/src/index.ts'
import { originOf } from '../lib/account.ts'
import { apiOf, type IssueJson } from '../lib/api.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvents } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import type { Site } from '../lib/site.ts'
import { until } from '../lib/until.ts'
import { openChromium } from './chromium.ts'
import type { Engine, EnginePage } from './engine.ts'
import { openFirefox } from './firefox.ts'
import { colourOf } from './picture-colour.ts'
import { MISHAPS, serveSentryShop, serveTagShop, serveWidgetShop } from './shop.ts'
import { openWebKit } from './webkit.ts'

const ORGANIZATION = 'engines'

/** The name is that of the context `browser` of its events. */
const ENGINES: readonly (readonly [name: string, open: () => Promise<Engine>])[] = [
  ['HeadlessChrome', openChromium],
  ['Firefox', openFirefox],
  ['Safari', openWebKit],
]
const SENDERS = ['tag', 'sentry'] as const

describe('the main paths in three engines', () => {
  let server: SharedServer
  let origin: string
  let sites: Readonly<Record<(typeof SENDERS)[number] | 'widget', Site>>
  beforeAll(async () => {
    server = await joinServer(ORGANIZATION)
    origin = originOf(server)
    const { dsn } = server.account
    const [tag, sentry, widget] = await Promise.all([
      serveTagShop(origin, dsn),
      serveSentryShop(dsn),
      serveWidgetShop(origin, dsn),
    ])
    sites = { tag, sentry, widget }
  })
  afterAll(async () => {
    await Promise.all(Object.values(sites).map((site) => site.close()))
    await closePages(await joinBrowser())
  })

  describe.each(ENGINES)('%s', (name, open) => {
    let page: EnginePage
    let engine: Engine
    let end = (): Promise<void> => Promise.resolve()
    beforeAll(async () => {
      engine = await open()
      ;({ page, end } = engine)
    })
    afterAll(() => end())

    it('console: log in, stream, issue, resolve and undo', async () => {
      const title = `TeapotError${name}`
      await sendEvents(server.account.dsn, [errorEvent(title, 'it is short and stout')])
      const { id } = await apiOf(server).issue(title)
      const status = async (): Promise<string> =>
        (await apiOf(server).get<IssueJson>(`/organizations/${ORGANIZATION}/issues/${id}/`)).status

      await page.open(`${origin}/login`)
      await page.type('input[type=email]', server.owner.email)
      await page.type('input[type=password]', server.owner.password)
      await page.click('button[type=submit]', 'Log in')
      await page.click(`[data-issue="${id}"] a`)
      await eventually(() => page.textOf('h1')).toBe(title)
      await page.click('button', 'Resolve')
      await eventually(() => page.textOf('button', 'Reopen')).not.toBe(null)
      await page.press('z')
      await eventually(() => page.textOf('button', 'Resolve')).not.toBe(null)
      await eventually(status).toBe('unresolved')
      await eventually(() => page.textOf('main')).toContain('Resolved')
      if (engine.complaints !== null) expect(engine.complaints).toEqual([])
    })

    it('widget: trigger, dialog, picture of the page, sending, banner; the report has the picture', async () => {
      const message = `The tea is cold in ${name}`
      await page.open(sites.widget.url)
      await page.click('.trigger')
      await page.type('[name=message]', message)
      await page.click('button', 'Add a screenshot')
      await eventually(() => page.textOf('dialog[open] .editor')).not.toBe(null)
      await page.click('button', 'Back to the form')
      await eventually(() => page.textOf('.large[open]')).toBe(null)
      await page.click('button[type=submit]')
      await eventually(() => page.textOf('.banner')).toContain('Thank you for your report!')

      const path = `/organizations/${ORGANIZATION}/feedback/`
      const report = await until('the report', async () => {
        const rows = await apiOf(server).get<Feedback[]>(`${path}?mailbox=all&limit=100`)
        const found = rows.find((row) => row.message === message)
        return found === undefined ? null : apiOf(server).get<FeedbackDetail>(`${path}${found.id}/`)
      })
      expect(report.attachments).toMatchObject([{ isImage: true }])
      const picture = await fetch(`${origin}/api/0${report.attachments[0]?.url ?? ''}`, {
        headers: { authorization: `Bearer ${server.account.token}` },
      })
      const bytes = Buffer.from(await picture.arrayBuffer())
      const [red = 0, green = 0, blue = 0] = await colourOf(bytes, picture.headers.get('content-type') ?? '')
      // Compression may change a colour by a shade.
      expect([red < 9, green > 119 && green < 137, blue < 9]).toEqual([true, true, true])
      if (engine.complaints !== null) expect(engine.complaints).toEqual([])
    })

    it.each(SENDERS)('what nobody caught arrives with its stack: %s', async (sender) => {
      const api = apiOf(server)
      await page.open(sites[sender].url)
      for (const [mishap, place] of Object.entries(MISHAPS)) {
        await page.click(`#${mishap}`)
        const query = `sender:${sender} mishap:${mishap} browser.name:${name}`
        await eventually(() => api.hits(query), query).toBe(1)
        const [issue] = await api.issues(query)
        const latest = async () => api.latestEvent(issue?.id ?? '')
        await eventually(async () => (await latest()).contexts['browser']?.['name']).toBe(name)
        const event = await latest()
        const { version } = event.contexts['browser'] ?? {}
        expect(await page.evaluate<string>('navigator.userAgent')).toContain(`/${String(version)}`)
        const thrown = event.entries.find(({ type }) => type === 'exception')?.data as {
          values: { stacktrace: { frames: { function: string; lineNo: number }[] } }[]
        }
        expect(thrown.values[0]?.stacktrace.frames).toContainEqual(
          expect.objectContaining({ function: expect.stringContaining(place), lineNo: expect.any(Number) }),
        )
      }
    })
  })

  it.each(Object.keys(MISHAPS))('what went wrong in all three is one issue, whoever sent it: %s', async (mishap) => {
    const count = String(ENGINES.length * SENDERS.length)
    await eventually(() => apiOf(server).issues(`mishap:${mishap}`)).toMatchObject([{ count }])
  })
})

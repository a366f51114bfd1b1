import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { servePlainPage } from './browser-sdk-page.ts'

const ORGANIZATION = 'script-tag'

describe('the script tag', () => {
  let server: SharedServer
  let browser: Browser
  let origin = ''
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    origin = `http://127.0.0.1:${server.port}`
  })
  afterAll(async () => {
    await closePages(browser)
  })

  const visit = async (
    html: string,
    work: (page: Page, complaints: readonly string[]) => Promise<void>,
    headers: Record<string, string> = {},
    ignore: RegExp[] = [],
  ): Promise<void> => {
    const site = await servePlainPage(html, headers)
    const { page, complaints, close } = await openPage(browser, {}, ignore)
    try {
      await page.goto(site.url)
      await work(page, complaints.list)
    } finally {
      await close()
      await site.close()
    }
  }

  const tag = (attributes = ''): string =>
    `<script src="${origin}/sdk.js" data-dsn="${server.account.dsn}" ${attributes}></script>`

  it('one line of HTML reports errors, those before the rest is loaded as well', async () => {
    const api = apiOf(server)
    const html = `${tag('data-release="tag@2" data-environment="plain"')}
      <script>
        const id = Firsthand.captureException(new Error('caught early'), { tags: { when: 'early' } })
        document.title = id
        Firsthand.setUser({ id: '8' })
        Firsthand.setTag('shop', 'tea')
        Firsthand.addBreadcrumb({ message: 'a step' })
        Firsthand.onLoad((firsthand) => { document.body.dataset.loaded = typeof firsthand.withScope })
        Promise.reject(new RangeError('rejected early'))
        function first() { throw new Error('thrown early') }
        first()
      </script>
      <button onclick="throw new TypeError('thrown later')">later</button>`
    await visit(html, async (page) => {
      const thrown = await api.latestEvent((await api.issue('thrown early')).id)
      expect(thrown.user).toMatchObject({ id: '8' })
      expect(thrown.release?.version).toBe('tag@2')
      expect(thrown.tags).toContainEqual({ key: 'shop', value: 'tea' })
      expect(thrown.tags).toContainEqual({ key: 'handled', value: 'no' })
      expect(thrown.entries.find((entry) => entry.type === 'breadcrumbs')?.data['values']).toContainEqual(
        expect.objectContaining({ message: 'a step' }),
      )
      const caught = await api.latestEvent((await api.issue('caught early')).id)
      expect(caught.eventID).toBe(await page.title())
      expect(caught.tags).toContainEqual({ key: 'when', value: 'early' })
      await api.issue('rejected early')
      await eventually(() => page.getAttribute('body', 'data-loaded')).toBe('function')
      await page.click('button')
      await api.issue('thrown later')
    })
  })

  it('what happens before the rest is there bears the time at which it happened', async () => {
    const api = apiOf(server)
    const html = `${tag()}<script>
      window.happened = Date.now()
      Firsthand.addBreadcrumb({ message: 'an early step' })
      throw new Error('long before the rest')
    </script>`
    const site = await servePlainPage(html)
    const { page, close } = await openPage(browser)
    // The page's clock begins a minute ago, and is set right when the rest may load: as on a slow connection.
    const lateness = 60_000
    await page.clock.install({ time: Date.now() - lateness })
    let isHeld = true
    const held: Route[] = []
    await page.route('**/sdk/*.js', async (route) => {
      if (isHeld) held.push(route)
      else await route.continue()
    })
    await page.goto(site.url, { waitUntil: 'commit' })
    await until('the request for the rest', () => Promise.resolve(held.length > 0 ? true : null))
    const happened = await page.evaluate(() => Reflect.get(window, 'happened') as number)
    await page.clock.setSystemTime(Date.now())
    isHeld = false
    for (const route of held) await route.continue()
    const { id } = await api.issue('long before the rest')
    const event = await api.latestEvent(id)
    expect(Math.abs(Date.parse(String(Reflect.get(event, 'dateCreated'))) - happened)).toBeLessThan(lateness / 4)
    const crumbs = event.entries.find((entry) => entry.type === 'breadcrumbs')?.data['values'] as {
      timestamp: string
    }[]
    expect(Math.abs(Date.parse(crumbs[0]?.timestamp ?? '') - happened)).toBeLessThan(lateness / 4)
    await close()
    await site.close()
  })

  describe('the loader of pages that were made for Sentry', () => {
    const loader = (attributes = ''): string =>
      `<script src="${origin}/js-sdk-loader/${new URL(server.account.dsn).username}.min.js" crossorigin="anonymous" ${attributes}></script>`

    it('loads nothing until something happens, then reports it with what the page has set', async () => {
      const api = apiOf(server)
      const html = `<script>
          window.sentryOnLoad = () => {
            Sentry.init({ release: 'loader@1', initialScope: { tags: { from: 'sentryOnLoad' } } })
          }
        </script>
        ${loader()}
        <script>
          Sentry.addBreadcrumb({ message: 'a step before' })
          Sentry.onLoad(() => { document.body.dataset.onLoad = typeof Sentry.withScope })
        </script>
        <button id="thrown" onclick="throw new TypeError('thrown with the loader')">throw</button>
        <button id="caught" onclick="Sentry.captureException(new RangeError('caught with the loader'))">catch</button>`
      await visit(html, async (page) => {
        await page.waitForLoadState('load')
        const rest = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
        expect((await rest()).filter((name) => name.includes('/sdk/'))).toEqual([])
        expect(await page.getAttribute('body', 'data-on-load')).toBe(null)
        await page.click('#thrown')
        const thrown = await api.latestEvent((await api.issue('thrown with the loader')).id, 'thrown with the loader')
        expect(thrown.release?.version).toBe('loader@1')
        expect(thrown.tags).toContainEqual({ key: 'from', value: 'sentryOnLoad' })
        expect(thrown.tags).toContainEqual({ key: 'handled', value: 'no' })
        expect(thrown.entries.find((entry) => entry.type === 'breadcrumbs')?.data['values']).toContainEqual(
          expect.objectContaining({ message: 'a step before' }),
        )
        await eventually(() => page.getAttribute('body', 'data-on-load')).toBe('function')
        await page.click('#caught')
        await api.issue('caught with the loader')
      })
    })

    it.each([
      ['data-lazy="no"', ''],
      ['', 'Sentry.forceLoad()'],
    ])('loads at once with %s%s, and starts by itself where the page does not', async (attribute, script) => {
      const html = `${loader(attribute)}<script>
          ${script}
          Sentry.setUser({ id: '9' })
          Sentry.onLoad(() => { document.body.dataset.onLoad = 'yes' })
        </script>
        <button onclick="Sentry.captureMessage('said with the loader')">say</button>`
      await visit(html, async (page) => {
        await eventually(() => page.getAttribute('body', 'data-on-load')).toBe('yes')
        const [sent] = await Promise.all([
          page.waitForRequest((request) => request.url().includes('/envelope/')),
          page.click('button'),
        ])
        expect(sent.postData()).toContain('said with the loader')
        expect(sent.postData()).toContain('"id":"9"')
        expect((await sent.response())?.status()).toBe(200)
      })
    })
  })

  it('data-feedback shows the widget, and what is written arrives', async () => {
    const options = JSON.stringify({ showName: false, showEmail: false })
    await visit(
      `${tag(`async data-feedback='${options}' data-feedback-label="Tell us"`)}<p>Tea</p>`,
      async (page, complaints) => {
        await page.getByRole('button', { name: 'Tell us' }).click()
        await page.getByLabel('Description').fill('The tea is cold')
        await page.getByRole('button', { name: 'Send Bug Report' }).click()
        const { organization, token } = server.account
        const report = await until('the report', async () => {
          const answer = await fetch(`${origin}/api/0/organizations/${organization}/feedback/`, {
            headers: { authorization: `Bearer ${token}` },
          })
          const list = (await answer.json()) as { message: string }[]
          return list.find((one) => one.message === 'The tea is cold') ?? null
        })
        expect(report.message).toBe('The tea is cold')
        expect(complaints).toEqual([])
      },
    )
  })

  it.each([
    ['the origin', (): string => origin],
    ['a nonce', (): string => `'nonce-abc'`],
    ['a nonce and strict-dynamic', (): string => `'nonce-abc' 'strict-dynamic'`],
  ])('under a strict policy that allows %s', async (word, scripts) => {
    const api = apiOf(server)
    const policy = `default-src 'none'; script-src ${scripts()}; connect-src ${origin}; img-src data:; require-trusted-types-for 'script'`
    await visit(
      `${tag(`nonce="abc" data-feedback`)}<button>x</button>`,
      async (page, complaints) => {
        await page.getByRole('button', { name: 'Report a Bug' }).waitFor()
        await page.evaluate((said) => void Promise.reject(new Error(said)), `strict with ${word}`)
        await api.issue(`strict with ${word}`)
        expect(complaints).toEqual([])
      },
      { 'content-security-policy': policy },
      [/strict with/],
    )
  })

  it('R92, R87: data-replay loads the recorder and starts it, under a strict policy; without it no byte of it is fetched', async () => {
    const { origin: away } = new URL(origin)
    const policy = `default-src 'none'; script-src 'self' ${away}; worker-src 'self'; connect-src ${away}; img-src data:; require-trusted-types-for 'script'`
    const partsOf = (page: Page): Promise<number> =>
      page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/sdk/')).length)
    const recorded = (page: Page): Promise<string | undefined> =>
      page.evaluate(() => {
        const { getClient } = Reflect.get(window, 'Firsthand') as {
          getClient?: () => { getIntegrationByName(name: string): { getReplayId(): string } | undefined } | undefined
        }
        return getClient?.()?.getIntegrationByName('Replay')?.getReplayId()
      })
    let without = 0
    await visit(
      tag(),
      async (page, complaints) => {
        await eventually(() => page.evaluate(() => 'getClient' in Reflect.get(window, 'Firsthand'))).toBe(true)
        without = await partsOf(page)
        expect(await recorded(page)).toBe(undefined)
        expect(complaints).toEqual([])
      },
      { 'content-security-policy': policy },
    )
    await visit(
      tag('data-replay'),
      async (page, complaints) => {
        await eventually(() => recorded(page)).toMatch(/^[\da-f]{32}$/)
        expect(await partsOf(page)).toBeGreaterThan(without)
        expect(complaints).toEqual([])
      },
      { 'content-security-policy': policy },
    )
  })

  it('a page that isolates itself may load it; caches keep the parts, and ask again for the script', async () => {
    const script = await fetch(`${origin}/sdk.js`)
    expect(script.status).toBe(200)
    expect(Object.fromEntries(script.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const part = /sdk\/[\w-]+\.js/.exec(await script.text())?.[0] ?? 'none'
    const found = await fetch(`${origin}/${part}`)
    expect(found.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(found.headers.get('access-control-allow-origin')).toBe('*')
    const again = await fetch(`${origin}/${part}`, { headers: { 'if-none-match': found.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    expect((await fetch(`${origin}/sdk/nothing.js`)).status).toBe(404)
    expect((await fetch(`${origin}/sdk/..%2Ffiles.json`)).status).toBe(404)
  })
})

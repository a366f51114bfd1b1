import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { originOf, setUpAnother, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { type EventPayload, sendEvents, sendItems } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { frameOf } from './pages/frame.ts'
import { issuePageOf } from './pages/issue.ts'
import { streamOf } from './pages/stream.ts'

const ORGANIZATION = 'safety'

const MARKUP = '"><img src=x onerror="globalThis.ranFromEvent=1;alert(1)"><script>globalThis.ranFromEvent=1</script>'
const LINK = 'javascript:globalThis.ranFromEvent=1;alert(1)'
const FOREIGN = 'http://evil.example/pixel.png'
/** Terminal escapes, and a right-to-left override that makes `exe.jpg` out of `gpj.exe`. */
const CONTROLS = '\u001b[31mred\u001b[0m invoice\u202Egpj.exe\u0007\u200B'

/** Every field of an event that a screen shows, each with something that would do harm if it were more than text. */
const hostile: EventPayload = {
  message: `hostile ${MARKUP}`,
  transaction: `/x${MARKUP}`,
  environment: 'prod<b>x',
  release: '<svg/onload=alert(1)>@1.0',
  logger: `log${MARKUP}`,
  server_name: LINK,
  user: { id: MARKUP, email: `x@example.com${MARKUP}`, username: CONTROLS, data: { avatar: FOREIGN, home: LINK } },
  tags: { link: LINK, markup: MARKUP, controls: CONTROLS, url: FOREIGN },
  extra: { html: MARKUP, link: LINK, image: FOREIGN, __proto__polluted: MARKUP },
  contexts: {
    trace: { trace_id: '0123456789abcdef0123456789abcdef', span_id: '0123456789abcdef' },
    evil: { type: 'evil', html: MARKUP, link: LINK },
  },
  modules: { '<b>x': MARKUP },
  request: {
    url: LINK,
    method: '<b>GET',
    query_string: `q=${encodeURIComponent(MARKUP)}`,
    headers: [
      ['Referer', LINK],
      ['X-Markup', MARKUP],
    ],
    cookies: `a=${MARKUP}`,
    data: `<html><body onload="alert(1)">${MARKUP}`,
  },
  breadcrumbs: [
    { category: 'navigation', data: { from: LINK, to: FOREIGN } },
    { category: 'fetch', type: 'http', data: { url: LINK, method: MARKUP, status_code: 200 } },
    { category: MARKUP, message: CONTROLS },
  ],
  exception: {
    values: [
      {
        type: `Hostile<img src=${FOREIGN}>Error`,
        value: `${MARKUP}${CONTROLS}`,
        mechanism: { type: MARKUP, handled: false, help_link: LINK, description: MARKUP, data: { image: FOREIGN } },
        stacktrace: {
          frames: [
            {
              function: MARKUP,
              filename: LINK,
              abs_path: LINK,
              source_link: LINK,
              lineno: 3,
              in_app: true,
              pre_context: ['</code></pre><script>globalThis.ranFromEvent=1</script>'],
              context_line: MARKUP,
              post_context: [CONTROLS],
              vars: { html: MARKUP, link: LINK },
            },
          ],
        },
      },
    ],
  },
}

describe('hostile events and foreign organisations', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  let origin: string
  let issue: string
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    origin = originOf(server)
    signedIn = await signIn(server)
    await sendEvents(server.account.dsn, [hostile])
    await sendItems(server.account.dsn, [{ type: '<b>evil', payload: {} }], { sdk: { name: MARKUP, version: LINK } })
    issue = (await apiOf(server).issue('Hostile')).id
  })
  afterAll(async () => {
    await closePages(browser)
  })

  /** Whatever would show that an event was more than text. */
  const watch = (page: Page): { readonly harm: string[]; check(): Promise<void> } => {
    const harm: string[] = []
    page.on('dialog', (dialog) => {
      harm.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
        harm.push(`request: ${request.url()}`)
    })
    return {
      harm,
      check: async () => {
        const found = await page.evaluate(() => ({
          ran: 'ranFromEvent' in globalThis,
          elements: document.querySelectorAll('img[src="x"], img[src*="evil"], [onerror], [onload], #root script')
            .length,
          links: [...document.querySelectorAll('a[href]')]
            .map((link) => (link as HTMLAnchorElement).href)
            .filter((href) => !/^https?:/.test(href)),
          hidden: [
            document.title,
            ...document.body.innerText.split('\n'),
            ...[...document.querySelectorAll('[title]')].map((element) => element.getAttribute('title') ?? ''),
          ].filter((line) => /[\u001b\u202e\u0007\u200b]/.test(line)),
        }))
        expect(found).toEqual({ ran: false, elements: 0, links: [], hidden: [] })
        expect(harm).toEqual([])
      },
    }
  }

  it('nothing in an event can run, load or mislead on any screen', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const { check } = watch(page)
    const stream = streamOf(page, ORGANIZATION, origin)
    const issues = issuePageOf(page, ORGANIZATION, origin)
    const frame = frameOf(page)

    await stream.open()
    await stream.row('Hostile').waitFor()
    await check()

    await issues.open(issue)
    await issues.panel('Stack trace').getByText('U+202E').first().waitFor()
    for (const title of ['Request', 'User', 'Tags', 'What happened before']) await issues.panel(title).waitFor()
    const closed = issues.panel('What happened before').getByRole('button', { expanded: false })
    for (let left = await closed.count(); left > 0; left -= 1) await closed.first().click()
    await check()

    await issues.panel('Stack trace').getByRole('radio', { name: 'Raw' }).click()
    await check()
    await issues.bar.getByRole('button', { name: 'JSON' }).click()
    await frame.dialog.locator('pre').waitFor()
    await check()
    await page.keyboard.press('Escape')
    await frame.dialog.waitFor({ state: 'hidden' })

    await issues
      .part('Why grouped')
      .getByRole('button', { name: /^Show the/ })
      .click()
    await frame.dialog.waitFor()
    await check()
    await page.keyboard.press('Escape')

    await page.goto(`${origin}/organizations/${ORGANIZATION}/issues/${issue}?tab=events`)
    await page.getByRole('table', { name: 'Events' }).waitFor()
    await check()

    await page.goto(`${origin}/organizations/${ORGANIZATION}/receipts`)
    await page.getByRole('table', { name: 'Receipts' }).waitFor()
    await check()

    const address = `${origin}/organizations/${ORGANIZATION}/issues?query=${encodeURIComponent(MARKUP)}`
    await page.goto(address)
    await stream.searchBar.waitFor()
    await check()
    expect(complaints.list.filter((text) => !/status of 400/.test(text))).toEqual([])
    await close()
  })

  it('what is tested is what users get: the console is built for production', async () => {
    const html = await (await fetch(`${origin}/`)).text()
    const scripts = [...html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map((match) => match[1])
    expect(scripts.length).toBeGreaterThan(0)
    const sources = await Promise.all(scripts.map(async (path) => (await fetch(`${origin}${path}`)).text()))
    expect(sources.filter((source) => source.includes('Download the React DevTools'))).toEqual([])
    expect(sources.join('')).toContain('Minified React error')
  })

  it('the Content-Security-Policy allows own files only, and nothing inline', async () => {
    for (const path of [
      '/',
      '/login',
      `/organizations/${ORGANIZATION}/issues`,
      `/api/0/projects/${ORGANIZATION}/shop/events/`,
    ]) {
      const answer = await fetch(`${origin}${path}`)
      const policy = new Map(
        (answer.headers.get('content-security-policy') ?? '').split(';').map((part) => {
          const [name = '', ...sources] = part.trim().split(/\s+/)
          return [name, sources.join(' ')] as const
        }),
      )
      expect(policy.get('default-src')).toBe("'none'")
      expect(policy.get('frame-ancestors')).toBe("'none'")
      expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|https?:/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
    const { page, close } = await openPage(browser, signedIn, [/Content Security Policy/])
    await page.goto(`${origin}/organizations/${ORGANIZATION}/issues`)
    const ran = await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'globalThis.ranInline = true'
      document.body.append(script)
      return 'ranInline' in globalThis
    })
    expect(ran).toBe(false)
    await close()
  })

  it('a member of another organisation opens neither the address of an issue nor its data', async () => {
    const person = { email: 'eve@example.org', password: 'some other long phrase' }
    const other = await setUpAnother(server, { ...person, organization: 'other', project: 'site' })
    const { page, complaints, close } = await openPage(browser, await signIn(server, person), [/status of 40[34]/])

    await page.goto(`${origin}/organizations/${ORGANIZATION}/issues/${issue}`)
    await page.getByText('This page does not exist').waitFor()
    await page.goto(`${origin}/organizations/${ORGANIZATION}/issues`)
    await page.getByText('This page does not exist').waitFor()
    await page.goto(`${origin}/organizations/other/issues/${issue}`)
    await page.getByText('Issue not found').waitFor()
    await eventually(() => page.title()).toBe('Issue not found · Firsthand')
    expect(await page.getByText('Hostile').count()).toBe(0)

    const asEve = (path: string): Promise<number> =>
      page.evaluate(async (address) => (await fetch(address)).status, `/api/0${path}`)
    const { eventID } = await apiOf(server).latestEvent(issue)
    for (const path of [
      `/organizations/${ORGANIZATION}/issues/`,
      `/organizations/${ORGANIZATION}/issues/${issue}/`,
      `/organizations/other/issues/${issue}/`,
      `/organizations/other/issues/${issue}/events/latest/`,
      `/projects/${ORGANIZATION}/shop/events/${eventID}/`,
      `/projects/other/shop/events/${eventID}/`,
      `/projects/other/site/events/${eventID}/`,
      `/organizations/${ORGANIZATION}/receipts/`,
      `/organizations/${ORGANIZATION}/live/`,
    ]) {
      expect([path, await asEve(path)]).toEqual([path, expect.toSatisfy((status) => status === 403 || status === 404)])
    }
    expect(other.organization).toBe('other')
    expect(complaints.list).toEqual([])
    await close()
  })
})

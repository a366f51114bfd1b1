import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { serveSite, type Site } from '../lib/site.ts'

const ORGANIZATION = 'browser-sdk'

const application = (dsn: string): string => `
  import * as Firsthand from '@firsthand/browser'
  const asked = new URLSearchParams(location.search)
  const apart = (event) => {
    const { value } = event.exception?.values.at(-1) ?? {}
    return value?.startsWith('failed') ? { ...event, fingerprint: [value] } : event
  }
  Firsthand.init({ dsn: ${JSON.stringify(dsn)}, beforeSend: apart, release: 'shop@1', environment: 'e2e', initialScope: { tags: { area: 'basket' } } })
  Firsthand.setUser({ id: '7', email: 'bob@example.com' })
  window.Firsthand = Firsthand
  const on = (id, work) => document.getElementById(id).addEventListener('click', work)
  function openBasket() { null.items.length }
  on('basket', function onBasket() {
    try { openBasket() } catch (cause) { throw new Error('the basket is broken', { cause }) }
  })
  on('late', () => { Promise.reject(new RangeError('the promise was broken')) })
  on('text', () => { Promise.reject('just a word') })
  on('noise', () => Firsthand.captureMessage('ResizeObserver loop limit exceeded'))
  on('say', () => Firsthand.captureMessage('somebody says hello', 'warning'))
  on('leave', function onLeave() {
    location.href = '/gone'
    throw new Error('broken while leaving ' + asked.get('word'))
  })
  on('fail', function onFail() { throw new Error('failed with the word ' + asked.get('word') + ' ' + (window.count = (window.count ?? 0) + 1)) })
  on('look', async () => {
    console.warn('low on', { stock: 1 })
    history.pushState({}, '', '/?page=2')
    await fetch('/missing').catch(() => {})
    await new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.open('post', '/?xhr')
      request.onload = resolve
      request.send('x')
    })
    throw new Error('after a walk')
  })
`

const BUTTONS = ['basket', 'late', 'noise', 'text', 'say', 'leave', 'fail', 'look'].map(
  (id) => `<button id="${id}">${id}</button>`,
)

/** How many envelopes wait on the device. */
const keptOn = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const [found] = await indexedDB.databases()
    if (found?.name === undefined) return 0
    return new Promise<number>((resolve) => {
      const opening = indexedDB.open(found.name ?? '')
      opening.addEventListener('success', () => {
        const count = opening.result.transaction('envelopes').objectStore('envelopes').count()
        count.addEventListener('success', () => {
          opening.result.close()
          resolve(count.result)
        })
      })
    })
  })

/** Items that a page posts, by type; the server is asked no more. */
const itemsOf = (body: string): { type: string; payload: Record<string, unknown> }[] => {
  const lines = body.split('\n').slice(1)
  const items = []
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const header = JSON.parse(lines[at] ?? '{}') as { type: string }
    items.push({ type: header.type, payload: JSON.parse(lines[at + 1] ?? '{}') as Record<string, unknown> })
  }
  return items
}

describe('@firsthand/browser in Chromium', () => {
  let server: SharedServer
  let browser: Browser
  let site: Site
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    site = await serveSite(application(server.account.dsn), `${BUTTONS.join('')}<input type="text" name="note">`)
  })
  afterAll(async () => {
    await site.close()
    await closePages(browser)
  })

  const visit = async (word: string, work: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) => {
    const { page, close } = await openPage(browser, options)
    try {
      await page.goto(`${site.url}?word=${word}`)
      await work(page)
    } finally {
      await close()
    }
  }

  it('an uncaught error arrives with its cause, its functions, the user and what was clicked; twice is one issue', async () => {
    const api = apiOf(server)
    for (let time = 0; time < 2; time += 1) {
      await visit('basket', async (page) => {
        await page.click('#basket')
        await eventually(async () => (await api.issues('basket is broken'))[0]?.count).toBe(String(time + 1))
      })
    }
    const issue = await api.issue('the basket is broken')
    expect(issue.metadata['type']).toBe('Error')
    const event = await api.latestEvent(issue.id)
    const tag = (key: string) => event.tags.find((one) => one.key === key)?.value
    expect([tag('handled'), tag('area'), tag('environment')]).toEqual(['no', 'basket', 'e2e'])
    expect(event.release?.version).toBe('shop@1')
    expect(event.user).toMatchObject({ id: '7', email: 'bob@example.com' })
    const { values } = (event.entries.find((entry) => entry.type === 'exception')?.data ?? {}) as {
      values: { type: string; value: string; stacktrace: { frames: { function: string; lineNo: number }[] } }[]
    }
    expect(values.map((value) => value.type)).toEqual(['TypeError', 'Error'])
    expect(values[0]?.stacktrace.frames.at(-1)?.function).toBe('openBasket')
    expect(values[1]?.stacktrace.frames.at(-1)?.function).toContain('onBasket')
    const crumbs = event.entries.find((entry) => entry.type === 'breadcrumbs')?.data['values']
    expect(crumbs).toContainEqual(expect.objectContaining({ category: 'ui.click', message: 'body > button#basket' }))
  })

  it('a rejected promise, a rejected word and a message', async () => {
    const api = apiOf(server)
    await visit('promise', async (page) => {
      await page.click('#late')
      await page.click('#text')
      await page.click('#say')
      expect((await api.issue('the promise was broken')).metadata['type']).toBe('RangeError')
      expect((await api.issue('captured with value: just a word')).metadata['type']).toBe('UnhandledRejection')
      expect(await api.issue('somebody says hello')).toMatchObject({ title: 'somebody says hello', level: 'warning' })
    })
  })

  it('breadcrumbs of console, navigation and requests; our own requests are none', async () => {
    const api = apiOf(server)
    await visit('walk', async (page) => {
      await page.locator('input').pressSequentially('secret')
      await page.click('#look')
      const event = await api.latestEvent((await api.issue('after a walk')).id)
      const crumbs = event.entries.find((entry) => entry.type === 'breadcrumbs')?.data['values'] as {
        category: string
      }[]
      expect(crumbs.map((crumb) => crumb.category)).toEqual([
        'ui.input',
        'ui.click',
        'console',
        'navigation',
        'fetch',
        'xhr',
      ])
      expect(JSON.stringify(crumbs)).not.toContain('secret')
      expect(crumbs).toMatchObject([
        { message: 'body > input[type="text"][name="note"]' },
        { message: 'body > button#look' },
        { level: 'warning', message: expect.stringContaining('low on') },
        { data: { from: '/?word=walk', to: '/?page=2' } },
        { data: { method: 'GET', url: '/missing', status_code: 404 } },
        { data: { method: 'POST', url: '/?xhr', status_code: 200 } },
      ])
    })
  })

  it('offline: the error is kept and sent when the connection is back', async () => {
    const api = apiOf(server)
    await visit('connection', async (page) => {
      await page.context().setOffline(true)
      await page.click('#fail')
      await eventually(() => keptOn(page)).toBe(1)
      await page.context().setOffline(false)
      expect((await api.issue('failed with the word connection')).count).toBe('1')
    })
  })

  it('offline and closed: the error is sent at the next visit', async () => {
    const api = apiOf(server)
    const { page, close } = await openPage(browser)
    const context = page.context()
    await page.goto(`${site.url}?word=visit`)
    await context.setOffline(true)
    await page.click('#fail')
    await eventually(() => keptOn(page)).toBe(1)
    await page.close()
    await context.setOffline(false)
    const next = await context.newPage()
    await next.goto(`${site.url}?word=other`)
    expect((await api.issue('failed with the word visit')).count).toBe('1')
    await close()
  })

  it('a server in trouble: what it answers with 503 is kept and sent again, once', async () => {
    const api = apiOf(server)
    await visit('trouble', async (page) => {
      let asked = 0
      await page.route('**/envelope/**', async (route) => {
        asked += 1
        if (asked > 1) return route.continue()
        return route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' }, body: '<html>' })
      })
      const refused = page.waitForResponse('**/envelope/**')
      await page.click('#fail')
      await refused
      // Instead of waiting for the time that lies between attempts.
      await eventually(async () => {
        await page.evaluate(() => dispatchEvent(new Event('online')))
        return asked
      }).toBeGreaterThan(1)
      expect((await api.issue('failed with the word trouble')).count).toBe('1')
    })
  })

  it('429 is respected: no further errors until the time is over, and a client report says how many', async () => {
    await visit('much', async (page) => {
      const bodies: string[] = []
      await page.route('**/envelope/**', async (route) => {
        bodies.push(route.request().postData() ?? '')
        await route.fulfill({
          status: 429,
          headers: {
            'access-control-allow-origin': '*',
            'access-control-expose-headers': 'x-sentry-rate-limits, retry-after',
            'x-sentry-rate-limits': '60:error:key',
          },
        })
      })
      const answered = page.waitForResponse('**/envelope/**')
      await page.click('#fail')
      await answered
      await page.evaluate(() =>
        (globalThis as unknown as { Firsthand: { flush(): Promise<boolean> } }).Firsthand.flush(),
      )
      await page.click('#fail')
      await page.click('#fail')
      await page.evaluate(() =>
        (globalThis as unknown as { Firsthand: { flush(): Promise<boolean> } }).Firsthand.flush(),
      )
      await eventually(() => bodies.flatMap(itemsOf).map((item) => item.type)).toEqual(['event', 'client_report'])
      const items = bodies.flatMap(itemsOf)
      expect(items[1]?.payload['discarded_events']).toEqual([
        { reason: 'ratelimit_backoff', category: 'error', quantity: 2 },
      ])
    })
  })

  it('what was not sent is told when the page is left', async () => {
    const api = apiOf(server)
    await visit('told', async (page) => {
      await page.click('#noise')
      await page.goto('about:blank')
      await eventually(async () =>
        (await api.receipts()).totals.map(({ outcome, reason }) => `${outcome} ${reason}`),
      ).toEqual(expect.arrayContaining([expect.stringContaining('event_processor')]))
    })
  })

  it('a page that is left at once still reports', async () => {
    const api = apiOf(server)
    await visit('leave', async (page) => {
      await page.click('#leave')
      await page.close()
      expect((await api.issue('broken while leaving leave')).count).toBe('1')
    })
  })

  it('the page keeps its functions: they look and work as before, and close() gives them back', async () => {
    await visit('functions', async (page) => {
      const found = await page.evaluate(async () => {
        const { Firsthand } = globalThis as unknown as { Firsthand: { close(): Promise<boolean> } }
        const frame = document.body.appendChild(document.createElement('iframe'))
        const fresh = frame.contentWindow as unknown as typeof globalThis
        const places = (scope: typeof globalThis) =>
          ({
            fetch: scope.fetch,
            open: scope.XMLHttpRequest.prototype.open,
            send: scope.XMLHttpRequest.prototype.send,
            pushState: scope.History.prototype.pushState,
            replaceState: scope.History.prototype.replaceState,
            log: scope.console.log,
            assert: scope.console.assert,
          }) as unknown as Record<string, (() => void) & { toString(): string }>
        const describe = (all: ReturnType<typeof places>) =>
          Object.entries(all).map(([name, one]) => [name, one.name, one.length, one.toString()])
        const wrapped = describe(places(globalThis))
        const answered = (await Reflect.apply(fetch, undefined, ['/?fetch'])).status
        const refused = await fetch('http://127.0.0.1:1/').catch((error: Error) => error.name)
        const illegal = await (async () => Reflect.apply(fetch, {}, ['/']))().catch((error: Error) => error.name)
        const xhr = await new Promise((resolve) => {
          const request = new XMLHttpRequest()
          request.open('GET', '/?xhr')
          request.addEventListener('load', function onLoad() {
            resolve(this === request && request.status)
          })
          request.send()
        })
        const before = globalThis.fetch
        await Firsthand.close()
        const given = describe(places(globalThis))
        return {
          wrapped,
          given,
          native: describe(places(fresh)),
          answered,
          refused,
          illegal,
          xhr,
          changed: before !== globalThis.fetch,
        }
      })
      expect(found.wrapped).toEqual(found.native)
      expect(found.given).toEqual(found.native)
      expect(found).toMatchObject({
        answered: 200,
        refused: 'TypeError',
        illegal: 'TypeError',
        xhr: 200,
        changed: true,
      })
    })
  })

  it('hostile values in a page: elements, windows, circles, revoked proxies; nothing is thrown', async () => {
    const { page, complaints, close } = await openPage(browser)
    await page.goto(`${site.url}?word=hostile`)
    await page.evaluate(async () => {
      const { Firsthand } = globalThis as unknown as {
        Firsthand: Record<string, (...given: unknown[]) => unknown>
      }
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      const round: Record<string, unknown> = { globalThis, document, element: document.body }
      round['round'] = round
      const values = [
        globalThis,
        document,
        document.body,
        proxy,
        round,
        new Event('x'),
        Symbol('s'),
        'x'.repeat(3_000_000),
      ]
      for (const value of values) {
        for (const name of [
          'captureException',
          'captureMessage',
          'captureEvent',
          'addBreadcrumb',
          'setUser',
          'setTags',
          'setExtras',
        ]) {
          Firsthand[name]?.(value, value)
        }
        console.log(value)
        Firsthand['setContext']?.('page', { value })
      }
      await Firsthand['flush']?.(5000)
    })
    expect(complaints.list).toEqual([])
    await close()
  })
})

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { serveSite, type Site } from '../lib/site.ts'

/** The SDK on the window, not started: each page starts it as it likes. */
const APPLICATION = `'use strict'
  import * as Firsthand from '@firsthand/browser'
  Object.assign(window, { Firsthand, start: (options) => Firsthand.init({ dsn: location.origin.replace('//', '//abc@') + '/1', ...options }) })
  if (location.search.includes('frame')) { window.start(); Firsthand.captureException(new Error('in a frame')) }
`

interface Sent {
  readonly type: string
  readonly payload: {
    readonly event_id?: string
    readonly exception?: { readonly values: { readonly type: string; readonly value: string }[] }
    readonly breadcrumbs?: { readonly category?: string; readonly message?: string }[]
    readonly discarded_events?: unknown[]
  }
}

type PageScope = typeof globalThis & {
  Firsthand: {
    captureException(error: unknown): string
    addBreadcrumb(breadcrumb: object): void
    lastEventId(): string | undefined
    showReportDialog(options: { eventId: string }): void
    flush(timeoutMs?: number): Promise<boolean>
  }
  start(options?: object): void
}

const itemsOf = (body: string): Sent[] => {
  const lines = body.split('\n').slice(1)
  const items: Sent[] = []
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const { type } = JSON.parse(lines[at] ?? '{}') as { type: string }
    items.push({ type, payload: JSON.parse(lines[at + 1] ?? '{}') as Sent['payload'] })
  }
  return items
}

describe('@firsthand/browser on difficult pages', () => {
  let browser: Browser
  let site: Site
  beforeAll(async () => {
    ;[browser, site] = await Promise.all([joinBrowser(), serveSite(APPLICATION, '<button>One</button>')])
  })
  afterAll(async () => {
    await closePages(browser)
    await site.close()
  })

  /** What the page sends; `answer` decides how the server takes it (status and headers). */
  const visit = async (
    work: (page: Page, sent: Sent[]) => Promise<void>,
    answer: () => { status: number; headers?: Record<string, string> } = () => ({ status: 200 }),
    options: BrowserContextOptions = {},
  ): Promise<void> => {
    const { page, close } = await openPage(browser, options)
    const sent: Sent[] = []
    try {
      await page.route('**/envelope/**', async (route) => {
        sent.push(...itemsOf(route.request().postData() ?? ''))
        await route.fulfill({ body: '{}', ...answer() })
      })
      await page.goto(site.url)
      await work(page, sent)
    } finally {
      await close()
    }
  }
  const saidBy = (sent: readonly Sent[]): (string | undefined)[] =>
    sent.filter(({ type }) => type === 'event').map(({ payload }) => payload.exception?.values.at(-1)?.value)

  it('a request that fails and that nobody looks after is an unhandled rejection still; one that is looked after is none', () =>
    visit(async (page, sent) => {
      await page.evaluate(async () => {
        const scope = globalThis as PageScope
        scope.start()
        await fetch('http://127.0.0.1:1/looked-after').catch(() => undefined)
        void fetch('http://127.0.0.1:1/left-alone')
      })
      await eventually(() => saidBy(sent)).toEqual(['Failed to fetch'])
      expect(sent[0]?.payload.breadcrumbs?.map(({ category }) => category)).toEqual(['fetch', 'fetch'])
    }))

  it('the id of an error that nobody caught is the last one, and that of an error captured twice is the one it has', () =>
    visit(async (page, sent) => {
      const found = await page.evaluate(async () => {
        const { Firsthand, start } = globalThis as PageScope
        start()
        setTimeout(() => {
          throw new Error('nobody')
        })
        await new Promise((resolve) => setTimeout(resolve, 20))
        const uncaught = Firsthand.lastEventId()
        const error = new Error('twice')
        const ids = [Firsthand.captureException(error), Firsthand.captureException(error), Firsthand.lastEventId()]
        await Firsthand.flush()
        return { uncaught, ids }
      })
      await eventually(() => saidBy(sent)).toEqual(['nobody', 'twice'])
      expect(found.uncaught).toBe(sent[0]?.payload.event_id)
      expect(new Set(found.ids)).toEqual(new Set([sent[1]?.payload.event_id]))
    }))

  it('a page that froze what belongs to the language still reports what nobody caught', () =>
    visit(async (page, sent) => {
      await page.evaluate(() => {
        const scope = globalThis as PageScope
        for (const one of [Error, Promise, Object.prototype, Array.prototype]) Object.freeze(one)
        scope.start()
        setTimeout(() => {
          throw new Error('from a frozen page')
        })
      })
      await eventually(() => sent.length).toBe(1)
      expect(saidBy(sent)).toEqual(['from a frozen page'])
    }))

  it('turned off, it leaves the page as it is', () =>
    visit(async (page) => {
      const changed = await page.evaluate(() => {
        const scope = globalThis as PageScope
        const places = () => [fetch, console.log, History.prototype.pushState, XMLHttpRequest.prototype.open]
        const before = places()
        scope.start({ enabled: false })
        return places().filter((one, index) => one !== before[index]).length
      })
      expect(changed).toBe(0)
    }))

  it('a page that says very much keeps its breadcrumbs in the event', () =>
    visit(async (page, sent) => {
      await page.evaluate(async () => {
        const { Firsthand, start } = globalThis as PageScope
        start()
        for (let at = 0; at < 100; at += 1) {
          console.log(`step ${at}`, { state: 'x'.repeat(40_000), more: 'y'.repeat(40_000) })
          Firsthand.addBreadcrumb({ message: 'z'.repeat(20_000), data: { body: 'b'.repeat(60_000) } })
        }
        Firsthand.captureException(new Error('much was said'))
        await Firsthand.flush()
      })
      await eventually(() => saidBy(sent)).toEqual(['much was said'])
      expect(sent[0]?.payload.breadcrumbs).toHaveLength(100)
    }))

  it('what the server limits stays on the device until it may be sent', async () => {
    let status = 503
    await visit(
      async (page, sent) => {
        await page.evaluate(async () => {
          const { Firsthand, start } = globalThis as PageScope
          start()
          for (const word of ['one', 'two', 'three']) Firsthand.captureException(new Error(word))
          await Firsthand.flush()
        })
        const goOn = () => page.evaluate(() => dispatchEvent(new Event('online')))
        const kept = () =>
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
        await eventually(kept).toBe(3)
        status = 429
        sent.length = 0
        await eventually(async () => {
          await goOn()
          return sent.length
        }).toBeGreaterThan(0)
        status = 200
        await goOn()
        await page.evaluate(() => (globalThis as PageScope).Firsthand.flush())
        expect(await kept()).toBe(3)
      },
      () => ({ status, headers: status === 429 ? { 'retry-after': '60' } : {} }),
    )
  })

  it('a page that deletes its databases, at a logout, does not wait for ours', async () => {
    await visit(
      async (page) => {
        await page.evaluate(async () => {
          const { Firsthand, start } = globalThis as PageScope
          start()
          Firsthand.captureException(new Error('kept'))
          await Firsthand.flush()
        })
        await eventually(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(1)
        const outcome = await page.evaluate(async () => {
          const [found] = await indexedDB.databases()
          return new Promise<string>((resolve) => {
            const request = indexedDB.deleteDatabase(found?.name ?? '')
            for (const type of ['success', 'blocked', 'error']) request.addEventListener(type, () => resolve(type))
          })
        })
        expect(outcome).toBe('success')
      },
      () => ({ status: 503 }),
    )
  })

  it('a sandboxed frame without storage and locks sends later what it could not send', async () => {
    let status = 503
    await visit(
      async (page, sent) => {
        await page.evaluate(() => {
          const frame = document.createElement('iframe')
          frame.setAttribute('sandbox', 'allow-scripts')
          frame.src = '/?frame'
          document.body.append(frame)
        })
        await eventually(() => saidBy(sent)).toEqual(['in a frame'])
        status = 200
        const frame = page.frames().find((one) => one.url().includes('frame'))
        await eventually(async () => {
          await frame?.evaluate(() => dispatchEvent(new Event('online')))
          return saidBy(sent).length
        }).toBeGreaterThan(1)
        expect(new Set(saidBy(sent))).toEqual(new Set(['in a frame']))
      },
      () => ({ status, headers: { 'access-control-allow-origin': '*' } }),
    )
  })

  it('the form for an event is loaded also where scripts must have trusted addresses, as often as it is asked for', async () => {
    const { page, complaints, close } = await openPage(browser)
    const asked: string[] = []
    await page.route('**/error-page/**', async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('eventId') ?? '')
      await route.fulfill({ contentType: 'text/javascript', body: '' })
    })
    await page.route(site.url, async (route) => {
      const response = await route.fetch()
      const headers = { ...response.headers(), 'content-security-policy': "require-trusted-types-for 'script'" }
      await route.fulfill({ response, headers })
    })
    await page.goto(site.url)
    await page.evaluate(() => {
      const { Firsthand, start } = globalThis as PageScope
      start({ defaultIntegrations: false })
      for (const eventId of ['a', 'b']) Firsthand.showReportDialog({ eventId: eventId.repeat(32) })
    })
    await eventually(() => asked.toSorted()).toEqual(['a'.repeat(32), 'b'.repeat(32)])
    expect(complaints.list).toEqual([])
    await close()
  })
})

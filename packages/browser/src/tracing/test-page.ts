import { vi } from 'vitest'
import * as Firsthand from '../core.ts'
import type { BrowserOptions, Envelope, SentSpan } from '../types.ts'

/** A page without a browser, with a clock that tests move, and what its SDK sends. */

export const ORIGIN = 'https://shop.example'
const DSN = 'https://abc@firsthand.example/42'

export interface TestPage {
  readonly sent: readonly Envelope[]
  readonly spans: () => SentSpan[]
  readonly items: (type: string) => Record<string, unknown>[]
  /** An event of the window. */
  readonly tell: (type: string, more?: object) => void
  readonly go: (path: string) => void
  readonly init: (options: BrowserOptions) => void
  readonly document: { readyState: string; visibilityState: string; prerendering: boolean }
}

export const openTestPage = (
  meta: Readonly<Record<string, string>> = {},
  { userAgent = 'Mozilla/5.0 Chrome/150', base }: { readonly userAgent?: string; readonly base?: string } = {},
): TestPage => {
  vi.useFakeTimers({ now: Date.now() })
  const target = new EventTarget()
  const document = {
    readyState: 'complete',
    visibilityState: 'visible',
    prerendering: false,
    referrer: '',
    get baseURI() {
      return base ?? location.href
    },
    querySelector: (selector: string) => {
      const content = meta[/name=([\w-]+)/.exec(selector)?.[1] ?? '']
      return content === undefined ? null : { content }
    },
  }
  const location = new URL(`${ORIGIN}/start?from=mail`)
  class History {
    pushState(_data: unknown, _title: string, url: string): void {
      location.href = new URL(url, location.href).href
    }
    replaceState(): void {}
  }
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target))
  vi.stubGlobal('document', document)
  vi.stubGlobal('location', location)
  vi.stubGlobal('History', History)
  vi.stubGlobal('navigator', { userAgent })
  const sent: Envelope[] = []
  const items: TestPage['items'] = (type) =>
    sent.flatMap(([, all]) =>
      all.filter(([header]) => header.type === type).map(([, payload]) => payload as Record<string, unknown>),
    )
  return {
    sent,
    items,
    document,
    spans: () => items('span').flatMap((payload) => payload['items'] as SentSpan[]),
    tell: (type, more = {}) => void target.dispatchEvent(Object.assign(new Event(type), more)),
    go: (path) => new History().pushState(null, '', path),
    init: (options) =>
      void Firsthand.init({
        dsn: DSN,
        release: 'shop@1',
        transport: (given) =>
          Firsthand.createTransport(given, async ({ body }) => {
            const [header = '', ...rest] = new TextDecoder().decode(body).split('\n')
            const read: Envelope[1] = []
            for (let at = 0; at + 1 < rest.length; at += 2)
              read.push([JSON.parse(rest[at] ?? '') as { type: string }, JSON.parse(rest[at + 1] ?? '') as object])
            sent.push([JSON.parse(header) as Record<string, unknown>, read])
            return {}
          }),
        ...options,
      }),
  }
}

export const closeTestPage = async (): Promise<void> => {
  vi.useRealTimers()
  await Firsthand.close(1000)
  for (const scope of [Firsthand.getCurrentScope(), Firsthand.getIsolationScope(), Firsthand.getGlobalScope()])
    scope.clear()
  vi.unstubAllGlobals()
}

import { guard, isObject } from '../guard.ts'
import type { Early, Noted } from './protocol.ts'
import type * as Main from './main.ts'

/**
 * `/js-sdk-loader/<key>.min.js`: what Sentry's loader script is to a page. `window.Sentry` is there at once; the SDK is
 * loaded when there is something to report, when the page asks for it (`forceLoad`), or at once with `data-lazy="no"`.
 * Then `window.sentryOnLoad` and what was given to `Sentry.onLoad` run, `init` is called if none of them did, and what has
 * happened until then is reported.
 */

/** File of the rest, below the folder of this script's own; the build knows it. */
declare const FIRSTHAND_MAIN: string
/** Project of the key in this script's address; the server knows it. */
declare const FIRSTHAND_PROJECT: string

/** Noted before the rest is there, at most: a page that fails in a loop must not fill the memory. */
const MAX_EARLY = 100

const QUEUED = [
  'init',
  'addBreadcrumb',
  'captureMessage',
  'captureException',
  'captureEvent',
  'withScope',
  'showReportDialog',
  'setUser',
  'setTag',
  'setTags',
  'setContext',
  'setExtra',
] as const

/** Worth loading the SDK for. */
const REPORTS: ReadonlySet<string> = new Set([
  'captureMessage',
  'captureException',
  'captureEvent',
  'showReportDialog',
  'error',
  'unhandledrejection',
])

type Callback = () => void
type Options = Readonly<Record<string, unknown>>
type Sentry = Record<string, (...given: unknown[]) => unknown>

const page = window as unknown as { Sentry?: Sentry; sentryOnLoad?: unknown; SENTRY_SDK_SOURCE?: string }
const script = document.currentScript as HTMLScriptElement | null

const dsnOf = (src: string): string => {
  const { protocol, host, pathname } = new URL(src)
  const [, prefix = '', key = ''] = /^(.*)\/js-sdk-loader\/([^/.]+)/.exec(pathname) ?? []
  return `${protocol}//${key}@${host}${prefix}/${FIRSTHAND_PROJECT}`
}

const newId = (): string => Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('')

const begin = ({ src, dataset }: HTMLScriptElement): void => {
  const early: Noted[] = []
  const inits: (readonly unknown[])[] = []
  const callbacks: Callback[] = []
  let isLazy = dataset['lazy'] !== 'no'
  let state: 'waiting' | 'loading' | 'loaded' = 'waiting'
  // Another script may have put something there already.
  const sentry: Sentry = isObject(page.Sentry) ? page.Sentry : {}
  page.Sentry = sentry

  const run = (callback: unknown): void => {
    if (typeof callback === 'function') guard(() => (callback as Callback)())
  }

  /** The page's own words first; whoever has none gets the SDK as it is. */
  const takeOver = (): void => {
    state = 'loaded'
    page.SENTRY_SDK_SOURCE = 'loader'
    let isStarted = false
    const { init } = sentry
    sentry['init'] = (options) => {
      isStarted = true
      return init?.({ dsn: dsnOf(src), ...(options as Options | undefined) })
    }
    sentry['onLoad'] = run
    run(page.sentryOnLoad)
    for (const callback of callbacks) run(callback)
    for (const given of inits) guard(() => sentry['init']?.(...given))
    if (!isStarted) sentry['init']({})
  }

  const load = (): void => {
    if (state !== 'waiting') return
    state = 'loading'
    // Modules are loaded with the nonce of the script that asks for them.
    import(new URL(`../${FIRSTHAND_MAIN}`, src).href).then(
      (main: typeof Main) => {
        removeEventListener('error', listen)
        removeEventListener('unhandledrejection', listen)
        // Callbacks that the rest of the page gives in the same turn come first, as with Sentry's.
        setTimeout(() => main.start({ attributes: {}, early, callbacks: [takeOver], stub: sentry }))
      },
      () => {
        state = 'waiting'
        addEventListener('online', load, { once: true })
      },
    )
  }

  const note = (one: Early, name: string): void => {
    if (early.length < MAX_EARLY) early.push({ ...one, at: Date.now() / 1000 })
    if (isLazy && REPORTS.has(name)) setTimeout(load)
  }
  const listen = (event: Event): void => note({ kind: event.type as 'error', event }, event.type)
  addEventListener('error', listen)
  addEventListener('unhandledrejection', listen)

  for (const name of QUEUED) {
    sentry[name] = (...given) => {
      if (name === 'init') inits.push(given)
      else note({ kind: 'call', name, given, id: newId() }, name)
    }
  }
  sentry['onLoad'] = (callback) => {
    callbacks.push(callback as Callback)
    if (!isLazy) load()
  }
  sentry['forceLoad'] = () => {
    isLazy = false
    setTimeout(load)
  }
  if (!isLazy) setTimeout(load)
}

// A page that bears the script twice has one SDK.
if (script !== null && page.Sentry?.['forceLoad'] === undefined) begin(script)

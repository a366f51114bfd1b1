import { watchHref } from '../href.ts'
import { guard } from '../guard.ts'
import { listen } from '../listen.ts'
import { setHidden } from '../transport.ts'
import { clock, pageTiming, secondsAt, setClock } from './clock.ts'
import { beginTrace } from './headers.ts'
import type { Tracer } from './tracer.ts'
import type { Attributes, TracingOptions } from './types.ts'

/** A navigation so soon after the page or the last one, without a click or a key, was none of the visitor's. Seconds. */
const REDIRECT_S = 1.5

/** What the page's server says of the trace that asked for the page: in a tag, or in a header. */
const said = (name: string): string | undefined =>
  guard(() => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content) ||
  guard(() => pageTiming()?.serverTiming.find((entry) => entry.name === name)?.description)

const place = (url: string): Attributes => {
  const parsed = guard(() => new URL(url, document.baseURI))
  return { 'url.full': parsed?.href, 'url.path': parsed?.pathname }
}

export interface Views {
  /** A router tells of its navigations itself from now on: the page's address is no longer looked at. */
  follow(): void
  /** @param route its pattern, `/product/:id`; undefined where it is not known yet */
  navigate(url: string, route: string | undefined): void
}

/** Page loads and navigations: each is a trace of its own, and what happens in them is part of it. */
export const watchViews = (tracer: Tracer, options: TracingOptions): Views => {
  const { client } = tracer
  const { instrumentPageLoad = true, instrumentNavigation = true, enableReportPageLoaded = false } = options
  let hasRouter = false
  let touchedAt = 0

  const load = (): void => {
    setClock()
    const isReady = document.readyState !== 'loading'
    tracer.beginView({
      op: 'pageload',
      trace: beginTrace(said('sentry-trace'), said('baggage')),
      // A page that was loaded in advance begins when somebody looks at it.
      start: secondsAt(pageTiming()?.activationStart ?? 0),
      attributes: place(location.href),
      isHeld: enableReportPageLoaded || !isReady,
    })
    if (!enableReportPageLoaded) listen(client, ['readystatechange'], tracer.release, true)
  }
  const navigate = (url: string, given: Attributes = {}): void => {
    const now = clock()
    const attributes = { ...place(url), ...given }
    const { root } = tracer
    if (root && tracer.isOpen() && now - root.start <= REDIRECT_S && now - touchedAt > REDIRECT_S) {
      tracer.start({ op: 'navigation.redirect', name: 'Redirect', startTime: now, attributes }).end(now)
      return
    }
    tracer.beginView({ op: 'navigation', trace: beginTrace(), start: now, attributes, isHeld: false })
  }

  listen(client, ['click', 'keydown'], () => (touchedAt = clock()), true)
  // While a page is loaded in advance nobody sees it: it is a view once it is shown.
  if (instrumentPageLoad) {
    if ((document as { prerendering?: boolean }).prerendering) listen(client, ['prerenderingchange'], load, true)
    else load()
  }
  if (instrumentNavigation) {
    client.on(
      'close',
      watchHref((_, to) => {
        if (!hasRouter) navigate(to)
      }),
    )
    listen<PageTransitionEvent>(client, ['pageshow'], ({ persisted }) => {
      if (persisted) navigate(location.href, { 'browser.navigation.type': 'back-forward-cache' })
    })
  }
  listen<Event>(client, ['pagehide', 'visibilitychange'], ({ type }) => {
    const isGone = type === 'pagehide'
    // What is sent from here on goes as a beacon.
    if (isGone) setHidden(true)
    if (isGone || document.visibilityState === 'hidden') tracer.leave()
  })
  return {
    follow: () => {
      hasRouter = true
    },
    navigate: (url, route) => {
      hasRouter = true
      navigate(url)
      if (route !== undefined) tracer.nameView(route)
    },
  }
}

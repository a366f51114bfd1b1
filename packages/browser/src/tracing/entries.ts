import { text } from '../guard.ts'
import { ownRequests } from '../own-requests.ts'
import { pageTiming, secondsAt } from './clock.ts'
import { loaded } from './requests.ts'
import type { Tracer } from './tracer.ts'

/** Steps of the page's own request: operation, name, from, until. */
const STEPS = [
  ['browser.redirect', 'Redirect', 'redirectStart', 'redirectEnd'],
  ['browser.dns', 'DNS lookup', 'domainLookupStart', 'domainLookupEnd'],
  ['browser.connect', 'Connect', 'connectStart', 'connectEnd'],
  ['browser.tls_ssl', 'TLS', 'secureConnectionStart', 'connectEnd'],
  ['browser.request', 'Request', 'requestStart', 'responseStart'],
  ['browser.response', 'Response', 'responseStart', 'responseEnd'],
  [
    'browser.dom_content_loaded_event',
    'DOMContentLoaded event',
    'domContentLoadedEventStart',
    'domContentLoadedEventEnd',
  ],
  ['browser.load_event', 'Load event', 'loadEventStart', 'loadEventEnd'],
] as const

const REQUEST_TYPES = /^(fetch|xmlhttprequest)$/

/** What the browser has measured while a view came to be: steps of the page's request, and what it loaded. */
export const addEntries = (tracer: Tracer): void => {
  const isOwn = ownRequests(tracer.client)
  const begun = performance.now()
  tracer.onEnd.push((root) => {
    if (!root.trace.sampled) return
    if (root.attributes['sentry.op'] === 'pageload') {
      const page = pageTiming()
      const first = page?.responseStart ?? 0
      // As the library of the other vitals reckons it.
      const ttfb = Math.max(0, first - (page?.activationStart ?? 0))
      if (first > 0) root.setAttribute('browser.web_vital.ttfb.value', ttfb)
      for (const [op, name, from, until] of STEPS) {
        const at = page?.[from] ?? 0
        const end = page?.[until] ?? 0
        if (at > 0 && end > at) tracer.add(op, name, at, end, {}, true)
      }
    }
    const resources: PerformanceEntryList = performance.getEntriesByType('resource')
    for (const entry of resources as PerformanceResourceTiming[]) {
      const { name: url, initiatorType, startTime, responseEnd, responseStatus } = entry
      // Requests of the page have their spans, except those from before anybody looked.
      const isRequest = REQUEST_TYPES.test(initiatorType)
      if (secondsAt(startTime) < root.start || (isRequest && startTime >= begun)) continue
      if (!/^https?:/.test(url) || isOwn(url)) continue
      tracer.add(
        isRequest ? 'http.client' : `resource.${initiatorType}`,
        new URL(url).hostname,
        startTime,
        responseEnd,
        {
          'url.full': text(url),
          'resource.render_blocking_status': (entry as { renderBlockingStatus?: string }).renderBlockingStatus,
          'http.response.status_code': responseStatus,
          ...loaded(entry),
        },
        true,
      )
    }
  })
}

import { onCLS, onFCP, onINP, onLCP, type Metric } from 'web-vitals'
import { guard } from '../guard.ts'
import { secondsAt } from './clock.ts'
import { interactionOf, type Interaction, type Watch } from './observed.ts'
import type { Attributes } from './types.ts'

/** No page takes that long; such values come of machines that slept. Milliseconds. */
const MAX_PLAUSIBLE_MS = 60_000

interface Noted {
  readonly metric: Metric
  /** What its value comes of. */
  readonly entry: PerformanceEntry | undefined
  /** Asked at once: elements may be gone when the page is left. */
  readonly said: Attributes | undefined
}

/**
 * LCP, CLS and INP are known when a page is left: each becomes a span then, as SDK 11 of Sentry sends them. The first paint
 * is an attribute of the page's own span.
 */
export const watchVitals = (watch: Watch): void => {
  const { tracer, told } = watch
  const latest = new Map<string, Noted>()
  const reported = new Map<string, number>()
  const note = (metric: Metric): void => {
    const { name, value, entries } = metric
    const entry = (name === 'INP' && entries.find(({ duration }) => duration === value)) || entries.at(-1)
    latest.set(name, { metric, entry, said: watch.attribution?.ofMetric(metric, entry) })
  }
  for (const on of [onLCP, onCLS, onINP]) guard(() => on(note, { reportAllChanges: true }))
  guard(() => onFCP(note))

  tracer.onEnd.push((root) => {
    if (root.attributes['sentry.op'] === 'pageload')
      root.setAttribute('browser.web_vital.fcp.value', latest.get('FCP')?.metric.value)
  })
  tracer.onLeave.push((root) => {
    for (const name of ['LCP', 'CLS', 'INP']) {
      const noted = latest.get(name)
      if (!noted) continue
      const { metric, entry, said } = noted
      const { id, value, navigationType, navigationStartTime = 0 } = metric
      const before = reported.get(id)
      const isInp = name === 'INP'
      const from = entry?.startTime ?? navigationStartTime
      // A vital is told once; INP again when a later view of the page has a worse one.
      if (before !== undefined && !(isInp && value > before && secondsAt(from) >= root.start)) continue
      if (name !== 'CLS' && (value > MAX_PLAUSIBLE_MS || value <= 0)) continue
      reported.set(id, value)
      if (isInp && entry) told.add((entry as Interaction).interactionId)
      const vital = name.toLowerCase()
      // A paint begins with the page; one of a page that came back from the cache has no entry.
      const start = name === 'LCP' && entry ? from - value : from
      tracer.add(
        isInp ? `ui.interaction.${interactionOf(entry?.name ?? '')}` : `ui.webvital.${vital}`,
        name,
        start,
        name === 'CLS' ? start : start + value,
        {
          'sentry.origin': `auto.ui.browser.${vital}`,
          [`browser.web_vital.${vital}.value`]: value,
          'browser.navigation.type': navigationType,
          ...(isInp && entry && { 'browser.web_vital.inp.interaction_type': interactionOf(entry.name) }),
          ...(said ?? watch.attribution?.ofMetric(metric, entry)),
        },
      )
    }
  })
}

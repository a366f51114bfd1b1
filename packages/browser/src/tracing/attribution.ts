import type { Metric } from 'web-vitals'
import { describeElement } from '../breadcrumbs/element.ts'
import { text } from '../guard.ts'
import { pageTiming } from './clock.ts'
import type { Frame, Interaction } from './observed.ts'
import type { Attributes } from './types.ts'

/**
 * What is to blame: elements, scripts, and where the time went. A part of its own, loaded once a page is there; what is told
 * before has its numbers only.
 */

/** As far as they are read; the library of TypeScript does not know all of them. */
interface Paint extends PerformanceEntry {
  readonly element?: Element | null
  readonly url?: string
  readonly size?: number
}
interface Shift extends PerformanceEntry {
  readonly value: number
  readonly sources?: readonly { readonly node?: Node | null }[]
}

/** Without what a visitor reads or writes. */
const selectorOf = (node: unknown): string | undefined => (node ? describeElement(node, ['type', 'name']) : undefined)

/** The element that was painted last, and how long each part of the way there took (web.dev/articles/lcp). */
const ofPaint = ({ element, url: given = '', size, startTime }: Paint): Attributes => {
  const url = text(given)
  const [found] = url ? (performance.getEntriesByName(url, 'resource') as PerformanceResourceTiming[]) : []
  const first = pageTiming()?.responseStart ?? 0
  const asked = found && Math.max(first, found.requestStart || found.startTime)
  const came = Math.max(asked ?? first, found?.responseEnd ?? 0)
  return {
    'browser.web_vital.lcp.element': selectorOf(element),
    'browser.web_vital.lcp.url': url || undefined,
    'browser.web_vital.lcp.size': size,
    ...(asked !== undefined && {
      'browser.web_vital.lcp.resource_load_delay': asked - first,
      'browser.web_vital.lcp.resource_load_duration': came - asked,
    }),
    'browser.web_vital.lcp.element_render_delay': Math.max(0, startTime - came),
  }
}

/** What moved in the largest shift. */
const ofShifts = (shifts: readonly Shift[]): Attributes => {
  const [largest] = [...shifts].sort((one, other) => other.value - one.value)
  return { 'browser.web_vital.cls.source.1': selectorOf(largest?.sources?.[0]?.node) }
}

export const ofInteraction = ({
  startTime,
  duration,
  processingStart,
  processingEnd,
  target,
}: Interaction): Attributes => ({
  'browser.web_vital.inp.target': selectorOf(target),
  'browser.web_vital.inp.input_delay': processingStart - startTime,
  'browser.web_vital.inp.processing_duration': processingEnd - processingStart,
  'browser.web_vital.inp.presentation_delay': Math.max(0, startTime + duration - processingEnd),
})

/** The script that ran longest in it. */
export const ofFrame = ({
  startTime,
  duration,
  blockingDuration,
  styleAndLayoutStart,
  scripts = [],
}: Frame): Attributes => {
  const [script] = [...scripts].sort((one, other) => other.duration - one.duration)
  return {
    'browser.long_animation_frame.blocking_duration': blockingDuration,
    'browser.long_animation_frame.style_and_layout_duration': styleAndLayoutStart
      ? startTime + duration - styleAndLayoutStart
      : undefined,
    'browser.script.invoker': script?.invoker,
    'browser.script.invoker_type': script?.invokerType,
    'code.file.path': script?.sourceURL,
    'code.function.name': script?.sourceFunctionName,
    'browser.script.source_char_position': script?.sourceCharPosition,
  }
}

/** @param entry the one that the metric's value comes of */
export const ofMetric = ({ name, entries }: Metric, entry: PerformanceEntry | undefined): Attributes =>
  name === 'CLS'
    ? ofShifts(entries as unknown as readonly Shift[])
    : !entry
      ? {}
      : name === 'LCP'
        ? ofPaint(entry)
        : ofInteraction(entry as Interaction)

import { guard, text } from '@firsthand/browser/parts'
import { span } from '../events.ts'
import type { Recorder } from '../recorder.ts'
import type { Note } from './sink.ts'
import { createVitals } from './vitals.ts'

/** A machine that slept makes the two clocks differ. Milliseconds. */
const MAX_DRIFT_MS = 1000
const MAX_URL = 2048
const VITALS = ['largest-contentful-paint', 'layout-shift', 'event', 'first-input']
const TYPES = ['navigation', 'paint', 'resource', ...VITALS]
/** Interactions that are shorter are not told. */
const MIN_INTERACTION_MS = 40

type Times = Readonly<Record<string, number>>

/** @param ms since the page began */
const timeOf = (ms: number): number => {
  const began = Date.now() - performance.now()
  return ms + (Math.abs(began - performance.timeOrigin) > MAX_DRIFT_MS ? began : performance.timeOrigin)
}

const pick = (entry: object, names: readonly string[]): Times =>
  Object.fromEntries(names.map((name) => [name, (entry as Times)[name] ?? 0]))

const SIZES = ['decodedBodySize', 'encodedBodySize']
const STEPS = [
  'duration',
  'domInteractive',
  'domContentLoadedEventStart',
  'domContentLoadedEventEnd',
  'loadEventStart',
  'loadEventEnd',
  'domComplete',
  'redirectCount',
]

const tellEntry = (entry: PerformanceEntry, note: Note): void => {
  const { entryType, name, startTime, duration } = entry
  const tell = (op: string, end: number, data?: object): void =>
    note(span(op, text(name, MAX_URL), timeOf(startTime), timeOf(end), data))
  if (entryType === 'paint') tell('paint', startTime + duration)
  else if (entryType === 'navigation') {
    const page = entry as PerformanceNavigationTiming
    tell(`navigation.${page.type}`, page.domComplete, {
      size: page.transferSize,
      ...pick(page, [...SIZES, ...STEPS]),
    })
  } else {
    const file = entry as PerformanceResourceTiming
    // Requests of scripts are told with their status.
    if (/^(?:fetch|xmlhttprequest|beacon)$/.test(file.initiatorType) || /^(?:data|blob):/.test(name)) return
    const { responseStatus: statusCode } = file as { responseStatus?: number }
    tell(`resource.${file.initiatorType}`, file.responseEnd, {
      size: file.transferSize,
      statusCode,
      ...pick(file, SIZES),
    })
  }
}

/** What the browser measures: pages, paints, files, web vitals with their elements, and memory. */
export const watchPerformance = (recorder: Recorder, note: Note): (() => void) => {
  const vitals = createVitals()
  let isPageTold = false
  const take = (entry: PerformanceEntry): void => {
    if (entry.entryType === 'navigation') {
      // Told again when the page has come to its end; the entry may have been complete before its turn came.
      if (isPageTold || entry.duration === 0) return
      isPageTold = true
    }
    if (VITALS.includes(entry.entryType)) vitals.take(entry)
    else tellEntry(entry, note)
  }
  const observers = TYPES.flatMap((type) => {
    if (!guard(() => PerformanceObserver.supportedEntryTypes.includes(type), false)) return []
    const observer = new PerformanceObserver((list) => guard(() => list.getEntries().forEach(take)))
    guard(() => observer.observe({ type, buffered: true, durationThreshold: MIN_INTERACTION_MS }))
    return [observer]
  })
  const idsOf = (nodes: readonly Node[]): number[] =>
    nodes.map((node) => recorder.dom?.idOf(node) ?? -1).filter((id) => id > 0)
  const tellRest = (): void => {
    for (const { name, value, rating, at, nodes, shifts } of vitals.changed()) {
      const nodeIds = idsOf(nodes)
      const attributions = shifts?.map((one) => ({ value: one.value, nodeIds: idsOf(one.nodes) }))
      const data = { value, size: value, rating, nodeIds, ...(attributions && { attributions }) }
      note(span('web-vital', name, timeOf(at), timeOf(at), data))
    }
    const { memory } = performance as { memory?: object }
    if (!memory) return
    const at = Date.now()
    const sizes = pick(memory, ['jsHeapSizeLimit', 'totalJSHeapSize', 'usedJSHeapSize'])
    note(span('memory', 'memory', at, at, { memory: sizes }))
  }
  const quit = recorder.onFlush(tellRest)
  return () => {
    quit()
    for (const observer of observers) observer.disconnect()
  }
}

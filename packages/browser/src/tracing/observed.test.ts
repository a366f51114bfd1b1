import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SentSpan } from '../types.ts'
import { browserTracingIntegration } from './index.ts'
import { closeTestPage, openTestPage, type TestPage } from './test-page.ts'

/** A browser that measures what the test says. */
let watching: { readonly type: string; readonly tell: (entries: object[]) => void }[] = []
const measures = (...types: string[]): void => {
  watching = []
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      static readonly supportedEntryTypes = types
      readonly #callback: (list: { getEntries(): object[] }) => void
      constructor(callback: (list: { getEntries(): object[] }) => void) {
        this.#callback = callback
      }
      observe({ type }: { type: string }): void {
        watching.push({ type, tell: (entries) => this.#callback({ getEntries: () => entries }) })
      }
      disconnect(): void {
        watching = []
      }
    },
  )
}
const tell = (type: string, ...entries: object[]): void => {
  for (const one of watching) if (one.type === type) one.tell(entries)
}
const frame = (duration: number, more: object = {}) => ({
  startTime: 10,
  duration,
  blockingDuration: duration - 50,
  ...more,
})
const click = (interactionId: number, duration: number, more: object = {}) => ({
  name: 'pointerdown',
  interactionId,
  startTime: 10,
  processingStart: 20,
  processingEnd: 40,
  duration,
  target: null,
  ...more,
})

let page: TestPage
const start = (tracesSampleRate = 1): void =>
  page.init({ tracesSampleRate, integrations: [browserTracingIntegration()] })
const leave = async (): Promise<SentSpan[]> => {
  page.document.visibilityState = 'hidden'
  page.tell('visibilitychange')
  page.document.visibilityState = 'visible'
  await vi.advanceTimersByTimeAsync(0)
  return page.spans()
}
const durations = (spans: readonly SentSpan[], op: string): number[] =>
  spans
    .filter((span) => span.attributes['sentry.op']?.value === op)
    .map(({ start_timestamp, end_timestamp }) => Math.round((end_timestamp - start_timestamp) * 1000))

beforeEach(() => {
  page = openTestPage()
})
afterEach(closeTestPage)

describe('frames that blocked the page', () => {
  it('are spans when the page is left: of at least 50 ms, and of a view the 20 longest', async () => {
    measures('long-animation-frame')
    start()
    tell('long-animation-frame', frame(99), frame(100), ...Array.from({ length: 30 }, (_, at) => frame(200 + at)))
    const spans = await leave()
    expect(durations(spans, 'ui.long_animation_frame')).toEqual(Array.from({ length: 20 }, (_, at) => 229 - at))
    // The view has had its share.
    tell('long-animation-frame', frame(500))
    expect(durations(await leave(), 'ui.long_animation_frame')).toHaveLength(20)
    page.tell('click')
    page.go('/next')
    tell('long-animation-frame', frame(600))
    expect(durations(await leave(), 'ui.long_animation_frame').at(-1)).toBe(600)
  })

  it('say which script it was, once that part is loaded', async () => {
    measures('long-animation-frame')
    start()
    await vi.advanceTimersByTimeAsync(2000)
    await vi.dynamicImportSettled()
    const script = {
      duration: 90,
      invoker: 'BUTTON.onclick',
      sourceURL: 'https://shop.example/app.js',
      sourceFunctionName: 'sort',
    }
    tell('long-animation-frame', frame(180, { styleAndLayoutStart: 170, scripts: [{ duration: 3 }, script] }))
    const found = (await leave()).find((span) => span.attributes['sentry.op']?.value === 'ui.long_animation_frame')
    expect(found?.attributes).toMatchObject({
      'browser.long_animation_frame.blocking_duration': { value: 130 },
      'browser.long_animation_frame.style_and_layout_duration': { value: 20 },
      'browser.script.invoker': { value: 'BUTTON.onclick' },
      'code.file.path': { value: 'https://shop.example/app.js' },
      'code.function.name': { value: 'sort' },
    })
  })

  it('are long tasks where a browser knows no more', async () => {
    measures('longtask')
    start()
    tell('longtask', { startTime: 10, duration: 70 })
    expect(durations(await leave(), 'ui.long_task')).toEqual([70])
  })
})

describe('clicks and keys that waited', () => {
  it('are one span each, whatever events they are made of', async () => {
    measures('event')
    start()
    tell('event', click(7, 48), click(7, 120, { name: 'click' }), click(7, 60, { name: 'pointerup' }), click(0, 300))
    tell('event', click(8, 90, { name: 'keydown' }))
    const spans = await leave()
    expect(durations(spans, 'ui.interaction.click')).toEqual([120])
    expect(durations(spans, 'ui.interaction.press')).toEqual([90])
  })

  it('of a view that is not sent are no part of the next one', async () => {
    measures('event', 'long-animation-frame')
    page.init({
      tracesSampler: ({ op }) => op === 'navigation',
      integrations: [browserTracingIntegration()],
    })
    tell('event', click(7, 120))
    tell('long-animation-frame', frame(300))
    page.tell('click')
    page.go('/next')
    const spans = await leave()
    expect(spans.map(({ name }) => name)).toEqual(['/next'])
  })
})

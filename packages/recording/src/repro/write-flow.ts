import type { Action } from './steps.ts'
import { quoted } from './writer.ts'

/** A recording as Chrome's Recorder, and what is built on it (`@puppeteer/replay`), take it: JSON, no code. */
export interface Flow {
  readonly title: string
  readonly timeout: number
  readonly steps: readonly FlowStep[]
}

type FlowStep = Readonly<Record<string, unknown>> & { readonly type: string }

/** What was done, with what may be said of it. */
export type FlowAction =
  | { readonly kind: 'navigate' | 'arrive'; readonly url: string }
  /** `value`: what is typed; null where nothing can be said. */
  | { readonly kind: 'action'; readonly action: Action; readonly value: string | null }

interface Window {
  readonly width: number
  readonly height: number
}

const TIMEOUT_MS = 10_000
/** From the corner of an element: of its size a flow knows nothing. */
const OFFSET = 4

const viewport = ({ height, width }: Window): FlowStep => ({
  type: 'setViewport',
  width: Math.round(width),
  height: Math.round(height),
  deviceScaleFactor: 1,
  isMobile: false,
  hasTouch: false,
  isLandscape: width >= height,
})

/** By its path and what stands behind `#`: the rest of an address may differ with each visit. */
const arrival = (url: string): FlowStep => {
  const { hash, pathname } = new URL(url)
  const place = hash.startsWith('#/') ? 'location.pathname + location.hash' : 'location.pathname'
  const wanted = hash.startsWith('#/') ? pathname + hash : pathname
  return { type: 'waitForExpression', expression: `${place} === ${quoted(wanted)}` }
}

const clickOf = (action: Action): FlowStep => ({
  type: action.verb === 'dblclick' ? 'doubleClick' : 'click',
  selectors: selectorsOf(action),
  offsetX: OFFSET,
  offsetY: OFFSET,
  ...(action.isSecondary && { button: 'secondary' }),
})

const selectorsOf = ({ located }: Action): readonly (readonly string[])[] =>
  (located?.selectors ?? []).map((selector) => [selector])

/** Held-down keys go up in the other order. */
const pressOf = (keys: readonly string[]): readonly FlowStep[] => [
  ...keys.map((key) => ({ type: 'keyDown', key })),
  ...keys.toReversed().map((key) => ({ type: 'keyUp', key })),
]

const stepsOf = (one: FlowAction): readonly FlowStep[] => {
  if (one.kind !== 'action') return [one.kind === 'navigate' ? { type: 'navigate', url: one.url } : arrival(one.url)]
  const { action, value } = one
  if (action.verb === 'press') return pressOf(action.keys)
  // Beside every element, in a frame, or on what nothing tells from others: flows have no words for it.
  if (selectorsOf(action).length === 0) return []
  if (action.verb !== 'fill' && action.verb !== 'select') return [clickOf(action)]
  return value === null ? [] : [{ type: 'change', selectors: selectorsOf(action), value }]
}

export const writeFlow = ({
  actions,
  title,
  window,
}: {
  readonly title: string
  readonly window: Window | null
  readonly actions: readonly FlowAction[]
}): Flow => ({
  title,
  timeout: TIMEOUT_MS,
  steps: [
    ...(window !== null && window.width >= 1 && window.height >= 1 ? [viewport(window)] : []),
    ...actions.flatMap(stepsOf),
  ],
})

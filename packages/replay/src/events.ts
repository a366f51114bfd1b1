/** Events of a recording as rrweb makes and players read them. */

export interface RecordedEvent {
  readonly type: number
  readonly data: unknown
  /** Milliseconds since 1970. */
  timestamp: number
}

export const FULL_SNAPSHOT = 2
export const INCREMENTAL = 3
export const META = 4
export const CUSTOM = 5

/** `data.source` of an incremental event. */
export const SOURCE = {
  mutation: 0,
  mouseMove: 1,
  mouse: 2,
  scroll: 3,
  resize: 4,
  input: 5,
  touchMove: 6,
  media: 7,
  rule: 8,
  canvas: 9,
  font: 10,
  drag: 12,
  declaration: 13,
  selection: 14,
  adopted: 15,
} as const

/** What only a person does. */
const BY_HAND: ReadonlySet<number> = new Set([
  SOURCE.mouseMove,
  SOURCE.mouse,
  SOURCE.scroll,
  SOURCE.input,
  SOURCE.touchMove,
  SOURCE.drag,
])

export const sourceOf = ({ type, data }: RecordedEvent): number =>
  type === INCREMENTAL ? (data as { source: number }).source : -1

export const isByHand = (event: RecordedEvent): boolean => BY_HAND.has(sourceOf(event))

/** A breadcrumb or a span of ours, in the shape that Sentry's servers index. */
export const customEvent = (tag: string, payload: object, at: number): RecordedEvent => ({
  type: CUSTOM,
  timestamp: at,
  data: { tag, payload },
})

/** @param at milliseconds since 1970 */
export const breadcrumb = (category: string, more: Readonly<Record<string, unknown>>, at: number): RecordedEvent =>
  customEvent('breadcrumb', { timestamp: at / 1000, type: 'default', category, ...more }, at)

/** How long something took. @param start milliseconds since 1970, as is the end */
export const span = (op: string, description: string, start: number, end: number, data?: object): RecordedEvent =>
  customEvent(
    'performanceSpan',
    { op, description, startTimestamp: start / 1000, endTimestamp: end / 1000, ...(data && { data }) },
    start,
  )

import { isFields } from './fields.ts'

/** One thing that a recorder noted, as rrweb and Sentry's SDKs write it. What `data` holds is for each reader to check. */
export interface RecordedEvent {
  /** One of `EventType`, or a number that a newer recorder knows. */
  readonly type: number
  /** Milliseconds since 1970. */
  readonly timestamp: number
  readonly data: unknown
}

export const EventType = {
  DomContentLoaded: 0,
  Load: 1,
  FullSnapshot: 2,
  IncrementalSnapshot: 3,
  Meta: 4,
  Custom: 5,
  Plugin: 6,
} as const

/** `data.source` of an incremental snapshot. */
export const Source = {
  Mutation: 0,
  MouseMove: 1,
  MouseInteraction: 2,
  Scroll: 3,
  ViewportResize: 4,
  Input: 5,
  TouchMove: 6,
  MediaInteraction: 7,
  StyleSheetRule: 8,
  CanvasMutation: 9,
  Font: 10,
  Log: 11,
  Drag: 12,
  StyleDeclaration: 13,
  Selection: 14,
  AdoptedStyleSheet: 15,
  CustomElement: 16,
} as const

/** `data.type` of a mouse interaction. */
export const Interaction = {
  MouseUp: 0,
  MouseDown: 1,
  Click: 2,
  ContextMenu: 3,
  DoubleClick: 4,
  Focus: 5,
  Blur: 6,
  TouchStart: 7,
  TouchMoveDeparted: 8,
  TouchEnd: 9,
  TouchCancel: 10,
} as const

/** `type` of a recorded node. */
export const NodeType = { Document: 0, DocumentType: 1, Element: 2, Text: 3, CData: 4, Comment: 5 } as const

/** Times below it are seconds: as milliseconds they would lie before March 1973. */
const FIRST_MILLISECONDS = 1e11
/** The last moment that a `Date` can name. */
const LAST_MILLISECONDS = 8.64e15

const millisecondsOf = (time: unknown): number | null => {
  if (typeof time !== 'number' || !(time > 0)) return null
  const milliseconds = Math.round(time < FIRST_MILLISECONDS ? time * 1000 : time)
  return milliseconds <= LAST_MILLISECONDS ? milliseconds : null
}

const readEvent = (value: unknown): RecordedEvent | null => {
  if (!isFields(value)) return null
  const { type, data } = value
  const timestamp = millisecondsOf(value['timestamp'])
  if (timestamp === null || typeof type !== 'number' || !Number.isInteger(type) || type < 0) return null
  // What is said of these stands in their data alone.
  if (type >= EventType.FullSnapshot && type <= EventType.Plugin && !isFields(data)) return null
  return { type, timestamp, data }
}

/**
 * The events of one segment, of which `value` is the parsed JSON. Recorders mix seconds and milliseconds and write some
 * events late; these come out in milliseconds and in order, equal times as they came.
 *
 * @returns the events, and how many entries were none
 */
export const readEvents = (value: unknown): { readonly events: RecordedEvent[]; readonly refused: number } => {
  if (!Array.isArray(value)) return { events: [], refused: value === undefined ? 0 : 1 }
  const events: RecordedEvent[] = []
  for (const entry of value) {
    const event = readEvent(entry)
    if (event !== null) events.push(event)
  }
  events.sort((one, other) => one.timestamp - other.timestamp)
  return { events, refused: value.length - events.length }
}

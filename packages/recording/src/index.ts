/** Recordings of pages, as rrweb and Sentry's SDKs write them: reading their events, which are hostile. No DOM, no Node. */
export {
  EventType,
  Interaction,
  isFields,
  NodeType,
  readEvents,
  Source,
  type Fields,
  type RecordedEvent,
} from './events.ts'
export { rewriteEvents } from './rewrite.ts'
export { PageState } from './page-state.ts'
export { changesOf, ChunkCutter, type RecordedChunk } from './chunks.ts'
export { sliceChunk } from './slice.ts'
export { readTexts, type ShownText } from './texts.ts'
export { readTouches, type Touch, type TouchPoint } from './touches.ts'

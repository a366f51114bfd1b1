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
export { rewriteEvents, type KeptAssets } from './rewrite.ts'
export { missingOf } from './missing.ts'
export { PageState } from './page-state.ts'
export { changesOf, ChunkCutter, type RecordedChunk } from './chunks.ts'
export { sliceChunk } from './slice.ts'
export { readTexts, type ShownText } from './texts.ts'
export { readTouches, type Touch, type TouchPoint } from './touches.ts'
export { readAssetAddresses, type NamedAddresses } from './read-assets.ts'
export { readSheet, type SheetImport } from './read-sheet.ts'
export { keptAssets, type KeptSheet } from './kept-assets.ts'
export { keptByName, keptUnderNames, namesIn } from './kept-names.ts'
export { assetAddress } from './asset-address.ts'
export { isModestSvg } from './svg-pictures.ts'

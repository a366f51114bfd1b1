export {
  addBreadcrumb,
  addIntegration,
  captureEvent,
  captureException,
  captureMessage,
  close,
  flush,
  getClient,
  getCurrentScope,
  getGlobalScope,
  getIsolationScope,
  isInitialized,
  lastEventId,
  setContext,
  setExtra,
  setExtras,
  setTag,
  setTags,
  setUser,
  withScope,
} from './api.ts'
export type { Client } from './client.ts'
export { dedupeIntegration } from './dedupe.ts'
export { globalHandlersIntegration } from './global-handlers.ts'
export { Scope } from './scope.ts'
export { createTransport, makeFetchTransport } from './transport.ts'
export type * from './types.ts'

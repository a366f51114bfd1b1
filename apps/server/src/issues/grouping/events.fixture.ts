import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings } from '../../accounts/settings.ts'
import type { Exception, Frame, NormalisedEvent } from '../../event/event.ts'

/** Small events for tests of grouping. */

export const settings = (grouping: Partial<ProjectSettings['grouping']> = {}): ProjectSettings => ({
  ...DEFAULT_PROJECT_SETTINGS,
  grouping: { ...DEFAULT_PROJECT_SETTINGS.grouping, ...grouping },
})

export const event = (fields: Partial<NormalisedEvent> = {}): NormalisedEvent => ({
  event_id: 'd105edf576b543e486b4a73e1535934d',
  type: 'error',
  timestamp: 1_795_213_370,
  received: 1_795_213_370,
  platform: 'javascript',
  level: 'error',
  logger: '',
  contexts: {},
  tags: [],
  errors: [],
  ...fields,
})

export const thrown = (exceptions: Exception[], fields: Partial<NormalisedEvent> = {}): NormalisedEvent =>
  event({ exception: { values: exceptions }, ...fields })

export const exception = (frames: Frame[], fields: Partial<Exception> = {}): Exception => ({
  type: 'TypeError',
  value: 'x is undefined',
  stacktrace: { frames },
  ...fields,
})

export const frame = (fields: Frame = {}): Frame => ({
  filename: 'https://shop.example/assets/cart.js',
  function: 'addToCart',
  lineno: 10,
  colno: 5,
  in_app: true,
  ...fields,
})

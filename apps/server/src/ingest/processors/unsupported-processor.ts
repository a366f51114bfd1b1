import { err } from '../../lib/result.ts'
import { drop } from '../digest/processor.ts'
import type { Processor } from '../digest/processor.ts'

/** Metrics of SDK 7 and 8, removed in 9: accepted and dropped (protocol.md 3.11). */
export const createUnsupportedProcessor = (): Processor => ({
  takes: ['statsd', 'metric_buckets'],
  expand: () => err(drop('filtered', 'unsupported_item_type', 'metrics of SDK 7 and 8 are no longer kept')),
})

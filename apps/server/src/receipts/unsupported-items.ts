import { err } from '../lib/result.ts'
import { drop } from '../ingest/index.ts'
import type { ItemKind } from '../ingest/index.ts'

/** Metrics of SDK 7 and 8, removed in 9: accepted and dropped (protocol.md 3.11). */
export const createUnsupportedItems = (): ItemKind => ({
  name: 'unsupported items',
  takes: ['statsd', 'metric_buckets'],
  expand: () => err(drop('filtered', 'unsupported_item_type', 'metrics of SDK 7 and 8 are no longer kept')),
})

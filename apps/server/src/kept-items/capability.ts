import type { Capability } from '../capability.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { LIMITS } from './limits.ts'

/** Attachments, and items that wait for the capability that shows them. */
export const keptItems: Capability = {
  name: 'kept items',
  limits: LIMITS,
  agingTables: [{ table: 'kept_items', time: 'received' }],
  blobColumns: [{ table: 'kept_items', columns: ['blob_key'] }],
  itemRules: new Map([
    ['attachment', { bytes: INGEST_LIMITS.ATTACHMENT_BYTES, perEnvelope: LIMITS.ATTACHMENTS_PER_ENVELOPE }],
  ]),
  itemRulesUntilOthersDo: new Map([
    ['security', { bytes: INGEST_LIMITS.EVENT_BYTES, json: 'refuse' }],
    ['form_data', { bytes: INGEST_LIMITS.EVENT_BYTES }],
    ['replay_event', { bytes: INGEST_LIMITS.EVENT_BYTES, perEnvelope: 1, json: 'refuse' }],
    ['replay_recording', { bytes: LIMITS.REPLAY_SEGMENT_BYTES }],
    ['replay_video', { bytes: LIMITS.REPLAY_SEGMENT_BYTES }],
    [
      'session',
      { bytes: LIMITS.SESSION_BYTES, perEnvelope: INGEST_LIMITS.SESSIONS_PER_ENVELOPE, json: 'drop', isSmall: true },
    ],
    [
      'sessions',
      { bytes: LIMITS.SESSION_BYTES, perEnvelope: INGEST_LIMITS.SESSIONS_PER_ENVELOPE, json: 'drop', isSmall: true },
    ],
    ['check_in', { bytes: INGEST_LIMITS.CHECK_IN_BYTES, json: 'refuse' }],
    ['log', { bytes: INGEST_LIMITS.CONTAINER_BYTES }],
    ['trace_metric', { bytes: INGEST_LIMITS.CONTAINER_BYTES }],
    ['otel_log', { bytes: INGEST_LIMITS.CONTAINER_BYTES }],
  ]),
  backfills: async ({ kinds, ...parts }) => {
    const { AWAITED } = await import('./kept-items.ts')
    const { findBackfills, groupsOf } = await import('./backfill.ts')
    return findBackfills(parts, groupsOf(kinds, AWAITED))
  },
  serve: async ({ accounts, backfills, ledger }) => {
    const { createBackfillRoutes } = await import('./backfills.routes.ts')
    const { forgetProgress } = await import('./forget-progress.ts')
    await forgetProgress(ledger, async (projectId) => (await accounts.lookup.byProjectId(projectId)) !== null)
    return { routes: createBackfillRoutes({ backfills }) }
  },
  digest: async ({ blobs, writer, logger }) => [
    (await import('./kept-items.ts')).createKeptItems({ blobs, writer, logger }),
  ],
}

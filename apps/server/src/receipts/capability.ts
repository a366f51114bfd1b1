import type { Capability } from '../capability.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { LIMITS } from './limits.ts'

/** What SDKs discarded, and items that are no longer supported: nothing of them is kept but how many there were. */
export const receipts: Capability = {
  name: 'receipts',
  limits: LIMITS,
  agingTables: [{ table: 'outcomes', time: 'timestamp' }],
  itemRules: new Map([
    // A client report never causes an error (protocol.md 3.9).
    [
      'client_report',
      {
        bytes: LIMITS.CLIENT_REPORT_BYTES,
        perEnvelope: INGEST_LIMITS.SESSIONS_PER_ENVELOPE,
        json: 'drop',
        isSmall: true,
      },
    ],
    ['statsd', { bytes: INGEST_LIMITS.EVENT_BYTES }],
    ['metric_buckets', { bytes: INGEST_LIMITS.EVENT_BYTES }],
  ]),
  digest: async () => {
    const { createClientReports } = await import('./client-reports.ts')
    const { createUnsupportedItems } = await import('./unsupported-items.ts')
    return [createClientReports(), createUnsupportedItems()]
  },
  serve: async (parts) => (await import('./serve.ts')).serveReceipts(parts),
}

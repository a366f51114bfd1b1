import type { Capability } from '../capability.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { LIMITS as KEPT_LIMITS } from '../kept-items/limits.ts'
import { replayTables as replayLedger } from './ledger/migrations/0019-replays.ts'
import { replayPackTable } from './ledger/migrations/0020-replay-packs.ts'
import { replayLinkTable } from './ledger/migrations/0023-replay-links.ts'
import { keepingReplays } from './ledger/migrations/0025-keeping-replays.ts'
import { replayAssetTables } from './ledger/migrations/0026-replay-assets.ts'
import { leftOutAssets } from './ledger/migrations/0027-left-out-assets.ts'
import { jobsOfDeletions } from './ledger/migrations/0030-jobs-of-deletions.ts'
import { ringsOfSheets } from './ledger/migrations/0031-rings-of-sheets.ts'
import { LIMITS } from './limits.ts'
import { statements as replayTables } from './telemetry/migrations/0011-replays.ts'
import { statements as replayTexts } from './telemetry/migrations/0012-replay-texts.ts'
import { namesOfDeletions } from './ledger/migrations/0048-names-of-deletions.ts'
import { statements as replayFacts } from './telemetry/migrations/0014-replay-facts.ts'
import { statements as writtenTexts } from './telemetry/migrations/0015-written-texts.ts'

/** What visitors saw and did: recordings of pages, with an index of what happened in them. */
export const replays: Capability = {
  name: 'replays',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 19, name: 'replays', statements: replayLedger(dialect) },
    { number: 20, name: 'chunks of replays', statements: replayPackTable(dialect) },
    { number: 23, name: 'links of replays', statements: replayLinkTable(dialect) },
    { number: 25, name: 'keeping replays', statements: keepingReplays(dialect) },
    { number: 26, name: 'pictures, fonts and style sheets of replays', statements: replayAssetTables(dialect) },
    { number: 27, name: 'images, fonts and style sheets that were left out', statements: leftOutAssets(dialect) },
    { number: 30, name: 'jobs of deletions', statements: jobsOfDeletions(dialect) },
    { number: 31, name: 'rings of sheets', statements: ringsOfSheets() },
    { number: 48, name: 'names of deletions', statements: namesOfDeletions() },
  ],
  telemetryMigrations: [
    { number: 11, name: 'replays', statements: replayTables },
    { number: 12, name: 'replay texts', statements: replayTexts },
    { number: 14, name: 'replay facts', statements: replayFacts },
    { number: 15, name: 'replay texts as they stood', statements: writtenTexts },
  ],
  datasets: async () => [(await import('./telemetry/replay-dataset.ts')).replaysDataset],
  agingTables: [
    { table: 'replay_segments', time: 'timestamp' },
    { table: 'replay_marks', time: 'timestamp' },
    { table: 'replay_texts', time: 'timestamp' },
  ],
  blobColumns: [{ table: 'replay_segments', columns: ['blob_key', 'video_key'] }],
  itemRules: new Map([
    // One that cannot be parsed is left out; the recording beside it is of use without it.
    ['replay_event', { bytes: INGEST_LIMITS.EVENT_BYTES, perEnvelope: 1, json: 'drop' }],
    ['replay_recording', { bytes: KEPT_LIMITS.REPLAY_SEGMENT_BYTES, isHeavy: true }],
    ['replay_video', { bytes: KEPT_LIMITS.REPLAY_SEGMENT_BYTES, isHeavy: true }],
  ]),
  digest: async ({ blobs, clock, ledger, writer }) => {
    const [{ createReplayItems }, { createAssetRules }] = await Promise.all([
      import('./replay-items.ts'),
      import('./assets/asset-rules.ts'),
    ])
    return [createReplayItems({ blobs, writer, assets: createAssetRules({ ledger, clock }) })]
  },
  serve: async (parts) => (await import('./serve.ts')).serveReplays(parts),
}

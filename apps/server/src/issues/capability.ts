import type { Capability } from '../capability.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { issueMarks } from './ledger/migrations/0002-issue-marks.ts'
import { unreadFacts } from './ledger/migrations/0009-unread-facts.ts'
import { savedSearches } from './ledger/migrations/0014-saved-searches.ts'
import { triage } from './ledger/migrations/0039-triage.ts'
import { regressionsByProject } from './ledger/migrations/0053-regressions-by-project.ts'
import { lateMaps } from './ledger/migrations/0060-late-maps.ts'
import { nextRelease } from './ledger/migrations/0061-next-release.ts'
import { setsGoOn } from './ledger/migrations/0068-sets-go-on.ts'
import { timesOfReleases } from './ledger/migrations/0075-times-of-releases.ts'
import { LIMITS } from './limits.ts'
import { statements as fastReads } from './telemetry/migrations/0002-fast-reads.ts'
import { statements as sharedStacks } from './telemetry/migrations/0003-shared-stacks.ts'
import { statements as storedGrouping } from './telemetry/migrations/0004-stored-grouping.ts'

/** Error events, and the issues that they belong to. */
export const issues: Capability = {
  name: 'issues',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 2, name: 'issue marks', statements: issueMarks(dialect) },
    { number: 9, name: 'unread facts', statements: unreadFacts() },
    { number: 14, name: 'saved searches', statements: savedSearches(dialect) },
    { number: 39, name: 'triage', statements: triage(dialect) },
    { number: 53, name: 'regressions by project', statements: regressionsByProject() },
    { number: 60, name: 'late maps', statements: lateMaps(dialect) },
    { number: 61, name: 'next release', statements: nextRelease() },
    { number: 68, name: 'sets go on', statements: setsGoOn(dialect) },
    { number: 75, name: 'times of releases of issues', statements: timesOfReleases(dialect) },
  ],
  telemetryMigrations: [
    { number: 2, name: 'fast reads', statements: fastReads },
    { number: 3, name: 'shared stacks', statements: sharedStacks },
    { number: 4, name: 'stored grouping', statements: storedGrouping },
  ],
  agingTables: [
    { table: 'events', time: 'timestamp' },
    { table: 'stacks', time: 'kept_until' },
  ],
  itemRules: new Map([
    ['event', { bytes: INGEST_LIMITS.EVENT_BYTES, perEnvelope: 1, json: 'refuse' }],
    ['raw_security', { bytes: INGEST_LIMITS.EVENT_BYTES, json: 'refuse' }],
    // Browsers put several of them into one array; protocol.md check 86 wants 200 for the type whatever it holds.
    ['nel', { bytes: INGEST_LIMITS.EVENT_BYTES, json: 'drop' }],
  ]),
  datasets: async () => [(await import('./errors-dataset.ts')).errorsDataset],
  digest: async (parts) => [(await import('./digest/index.ts')).createEventItemsOf(parts)],
  serve: async (parts) => (await import('./serve.ts')).serveIssues(parts),
}

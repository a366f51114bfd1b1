import type { Capability } from '../capability.ts'
import { initial } from './ledger.ts'
import { spoolNumbers } from './migrations/0010-spool-numbers.ts'
import { waitingTypes } from './migrations/0012-waiting-types.ts'
import { releasedBlobs } from './migrations/0024-released-blobs.ts'
import { agesOfBlobs } from './migrations/0028-ages-of-blobs.ts'
import { freedBlobs } from './migrations/0029-freed-blobs.ts'
import { statements } from './telemetry.ts'

/**
 * Both stores as they were before capabilities declared their own tables, and what changed since in the tables of the road
 * itself: a released step is never changed.
 */
export const firstSchema: Capability = {
  name: 'first schema',
  ledgerMigrations: (dialect) => [
    { number: 1, name: 'initial', statements: initial(dialect) },
    { number: 10, name: 'spool numbers', statements: spoolNumbers(dialect) },
    { number: 12, name: 'waiting types', statements: waitingTypes },
    { number: 24, name: 'released blobs', statements: releasedBlobs(dialect) },
    { number: 28, name: 'ages of blobs', statements: agesOfBlobs(dialect) },
    { number: 29, name: 'freed blobs', statements: freedBlobs(dialect) },
  ],
  telemetryMigrations: [{ number: 1, name: 'initial', statements }],
}

import type { Capability } from '../capability.ts'
import { LIMITS } from './limits.ts'
import { statements as profilesTable } from './telemetry/migrations/0008-profiles.ts'

/** Which functions the time went to: profiles of transactions, and continuous ones. */
export const profiles: Capability = {
  name: 'profiles',
  limits: LIMITS,
  telemetryMigrations: [{ number: 8, name: 'profiles', statements: profilesTable }],
  agingTables: [{ table: 'profiles', time: 'timestamp' }],
  blobColumns: [{ table: 'profiles', columns: ['blob_key'] }],
  itemRules: new Map([
    ['profile', { bytes: LIMITS.PROFILE_BYTES }],
    ['profile_chunk', { bytes: LIMITS.PROFILE_BYTES }],
  ]),
  digest: async ({ blobs, clock, ledger, writer }) => {
    const [{ createProfileItems }, { namesOf }] = await Promise.all([
      import('./profile-items.ts'),
      import('../traces/index.ts'),
    ])
    return [createProfileItems({ blobs, names: namesOf(ledger, clock), writer })]
  },
  datasets: async () => [(await import('./telemetry/profile-dataset.ts')).profilesDataset],
  serve: async (parts) => (await import('./serve.ts')).serveProfiles(parts),
}

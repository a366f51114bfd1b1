import type { Capability } from '../capability.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { LIMITS as KEPT_LIMITS } from '../kept-items/limits.ts'
import { LIMITS } from './limits.ts'
import { statements as sessionTables } from './telemetry/migrations/0018-sessions.ts'
import { statements as receivedIndexes } from './telemetry/migrations/0019-sessions-received.ts'

const RULE = {
  bytes: KEPT_LIMITS.SESSION_BYTES,
  perEnvelope: INGEST_LIMITS.SESSIONS_PER_ENVELOPE,
  json: 'drop',
  isSmall: true,
} as const

/** How many runs of a program, and how many people, were spared by errors. */
export const sessions: Capability = {
  name: 'sessions',
  limits: LIMITS,
  telemetryMigrations: [
    { number: 18, name: 'sessions', statements: sessionTables },
    { number: 19, name: 'sessions-received', statements: receivedIndexes },
  ],
  agingTables: [
    { table: 'session_updates', time: 'started' },
    { table: 'session_counts', time: 'started' },
  ],
  itemRules: new Map([
    ['session', RULE],
    ['sessions', RULE],
  ]),
  datasets: async () => [(await import('./telemetry/session-dataset.ts')).sessionsDataset],
  digest: async ({ keyFor, writer }) => {
    const { createUserNumber, PEOPLE_OF_SESSIONS } = await import('./user-number.ts')
    const { createSessionItems } = await import('./session-items.ts')
    const { createSessionCountItems } = await import('./session-count-items.ts')
    const parts = { writer, userNumber: createUserNumber(keyFor(PEOPLE_OF_SESSIONS)) }
    return [createSessionItems(parts), createSessionCountItems(parts)]
  },
  serve: async (parts) => (await import('./serve.ts')).serveSessions(parts),
}

import { CAPABILITIES } from '../../src/capabilities.ts'
import type { Capability } from '../../src/capability.ts'

/** The migration that made the tables of sessions. */
const FIRST = Math.min(
  ...CAPABILITIES.filter(({ name }) => name === 'sessions').flatMap(({ telemetryMigrations = [] }) =>
    telemetryMigrations.map(({ number }) => number),
  ),
)

/** Without the tables that came later: an older server does not have them. */
const asItWas = ({ agingTables = [], telemetryMigrations = [], ...capability }: Capability): Capability => {
  const later = telemetryMigrations.filter(({ number }) => number > FIRST).flatMap(({ statements }) => [...statements])
  return {
    ...capability,
    agingTables: agingTables.filter(
      ({ table }) => !later.some((statement) => statement.includes(`CREATE TABLE IF NOT EXISTS ${table} `)),
    ),
    telemetryMigrations: telemetryMigrations.filter(({ number }) => number < FIRST),
  }
}

/** What Firsthand could do before it counted sessions: it kept them whole. */
export const BEFORE_SESSIONS = CAPABILITIES.filter(({ name }) => name !== 'sessions').map(asItWas)

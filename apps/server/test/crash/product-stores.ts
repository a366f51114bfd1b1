import { join } from 'node:path'
import { DEFAULT_PROJECT_SETTINGS } from '../../src/accounts/settings.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createFindings } from '../../src/lib/findings.ts'
import type { Logger } from '../../src/lib/logger.ts'
import type { Telemetry } from '../../src/storage/index.ts'
import { openLedger, openTelemetry } from '../stores/open.ts'

/** The product's own stores in a data folder, with the organisation (1) and project (7) that the child sends to. */
export const openProductStores = async (dataDir: string, logger: Logger): Promise<Telemetry> => {
  const ledger = await openLedger({ path: join(dataDir, 'ledger.sqlite') }, { logger, clock: systemClock })
  const created_at = systemClock.now()
  await ledger.db
    .insertInto('organizations')
    .values({ id: 1, slug: 'crash', name: 'Crash', retention_days: 90, settings: '{}', created_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await ledger.db
    .insertInto('projects')
    .values({
      id: 7,
      organization_id: 1,
      slug: 'crash',
      name: 'Crash',
      platform: 'node',
      settings: JSON.stringify(DEFAULT_PROJECT_SETTINGS),
      first_event_at: null,
      last_issue_number: 0,
      created_at,
      deleted_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await ledger.close()
  return openTelemetry({ dataDir }, { logger, findings: createFindings({ now: systemClock.now }) })
}

/** What the stores hold, in the words of the crash tests. */
export interface Holdings {
  readonly storedIds: readonly string[]
  /** Sum of the issues' counters. */
  readonly timesSeen: number
  /** Events that the ledger knows. */
  readonly indexed: number
  /** Event ids of kept items. */
  readonly keptIds: readonly string[]
  /** `item type outcome` → quantity. */
  readonly outcomes: Readonly<Record<string, number>>
}

export const readProductStores = async (dataDir: string, logger: Logger): Promise<Holdings> => {
  const telemetry = await openProductStores(dataDir, logger)
  const ledger = await openLedger({ path: join(dataDir, 'ledger.sqlite') }, { logger, clock: systemClock })
  try {
    const rows = async <Row>(query: string): Promise<Row[]> =>
      (await telemetry.client.query({ query, format: 'JSONEachRow' })).json<Row>()
    const plainId = "lower(replaceAll(toString(event_id), '-', ''))"
    const stored = await rows<{ id: string }>(`SELECT ${plainId} AS id FROM events`)
    const kept = await rows<{ id: string }>(`SELECT ${plainId} AS id FROM kept_items`)
    const outcomes = await rows<{ key: string; total: number }>(
      "SELECT concat(item_type, ' ', outcome) AS key, sum(quantity) AS total FROM outcomes GROUP BY key ORDER BY key",
    )
    const issues = await ledger.db
      .selectFrom('issues')
      .select((expression) => expression.fn.sum<number>('times_seen').as('times'))
      .executeTakeFirstOrThrow()
    const indexed = await ledger.db
      .selectFrom('event_index')
      .select((expression) => expression.fn.countAll<number>().as('events'))
      .executeTakeFirstOrThrow()
    return {
      storedIds: stored.map((row) => row.id),
      timesSeen: issues.times,
      indexed: indexed.events,
      keptIds: kept.map((row) => row.id),
      outcomes: Object.fromEntries(outcomes.map((row) => [row.key, row.total])),
    }
  } finally {
    await ledger.close()
    await telemetry.close()
  }
}

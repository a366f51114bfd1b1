import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { onBehalfOf } from '../../lib/caller-context.ts'
import { LIMITS } from '../limits.ts'
import { silentLogger, testClock } from '../conformance/engines.ts'
import type { Ledger } from './ledger.ts'
import { openLedger } from '../../../test/stores/open.ts'

const postgresUrl = process.env['FIRSTHAND_TEST_POSTGRES_URL'] ?? ''
const ADA = { organizationId: 1, caller: 'user:1' }
const GRACE = { organizationId: 1, caller: 'user:2' }
const EDSGER = { organizationId: 2, caller: 'user:3' }
/** Nothing ends for its time within a test. */
const LONG_MS = 60_000

/** Needs a server: PGlite has neither connections nor timeouts. */
describe.skipIf(postgresUrl === '')('PostgreSQL ledger', () => {
  let ledger: Ledger
  afterEach(() => ledger.close())

  const open = async (readTimeoutMs: number): Promise<void> => {
    ledger = await openLedger({ postgresUrl }, { logger: silentLogger, clock: testClock(), readTimeoutMs })
  }
  const sleep = (seconds: number) => sql<{ one: number }>`SELECT 1 AS one FROM pg_sleep(${seconds})`.execute(ledger.db)
  const nothing = () => sql<{ one: number }>`SELECT 1 AS one`.execute(ledger.db)
  const change = () => ledger.db.updateTable('organizations').set({ name: 'Same' }).where('slug', '=', 'none').execute()

  it('ends what takes too long for a caller, and nothing of the server itself', async () => {
    await open(200)
    await expect(onBehalfOf(ADA, () => sleep(60))).rejects.toMatchObject({ name: 'StatementRefusal', reason: 'slow' })
    expect((await onBehalfOf(ADA, () => sleep(0))).rows).toEqual([{ one: 1 }])
    expect((await sleep(0.4)).rows).toEqual([{ one: 1 }])
  })

  it('asks for its time limit by a statement, which poolers let pass', async () => {
    await open(1234)
    const limit = () =>
      sql<{ setting: string; source: string }>`SELECT setting, source FROM pg_settings WHERE name = 'statement_timeout'`
        .execute(ledger.db)
        .then(({ rows }) => rows)
    expect(await onBehalfOf(ADA, limit)).toEqual([{ setting: '1234', source: 'session' }])
    expect(await limit()).toEqual([{ setting: '0', source: 'default' }])
  })

  it('rolls a transaction of a caller back that took too long', async () => {
    await open(200)
    const work = onBehalfOf(ADA, () =>
      ledger.transaction(async (transaction) => {
        await sql`INSERT INTO organizations (slug, name, retention_days, settings, created_at) VALUES ('late', 'Late', 90, '{}', 0)`.execute(
          transaction,
        )
        await sql`SELECT pg_sleep(60)`.execute(transaction)
      }),
    )
    await expect(work).rejects.toMatchObject({ name: 'StatementRefusal', reason: 'unchanged' })
    const left = await ledger.db.selectFrom('organizations').select('id').where('slug', '=', 'late').execute()
    expect(left).toEqual([])
  })

  it('says of a change that waits for another one that it was not made', async () => {
    await open(200)
    await ledger.transaction(async (transaction) => {
      await sql`LOCK TABLE organizations`.execute(transaction)
      await expect(onBehalfOf(ADA, change)).rejects.toMatchObject({ name: 'StatementRefusal', reason: 'unchanged' })
    })
    await onBehalfOf(ADA, change)
  })

  /** Runs `work` while what is asked with `slow` does not end; it ends after that. */
  const whileSlow = (work: (slow: () => Promise<unknown>) => Promise<void>) =>
    ledger.transaction(async (transaction) => {
      await sql`SELECT pg_advisory_xact_lock(7)`.execute(transaction)
      await work(() => sql`SELECT pg_advisory_xact_lock_shared(7)`.execute(ledger.db))
    })

  it('slow searches of one caller leave connections for colleagues, others, and changes of their own', async () => {
    await open(LONG_MS)
    const searches: Promise<unknown>[] = []
    await whileSlow(async (slow) => {
      for (let count = 0; count < LIMITS.LEDGER_POSTGRES_CONNECTIONS * 2; count += 1) {
        searches.push(onBehalfOf(ADA, slow))
      }
      expect((await onBehalfOf(GRACE, nothing)).rows).toEqual([{ one: 1 }])
      expect((await onBehalfOf(EDSGER, nothing)).rows).toEqual([{ one: 1 }])
      await onBehalfOf(ADA, change)
    })
    await Promise.all(searches)
  })

  it('refuses what one caller asks beyond what may wait', async () => {
    await open(LONG_MS)
    const searches: Promise<unknown>[] = []
    await whileSlow(async (slow) => {
      const asked = LIMITS.LEDGER_POSTGRES_READS_PER_CALLER + LIMITS.LEDGER_READS_WAITING_PER_CALLER
      for (let count = 0; count < asked; count += 1) searches.push(onBehalfOf(ADA, slow))
      await expect(onBehalfOf(ADA, nothing)).rejects.toMatchObject({ name: 'StatementRefusal', reason: 'busy' })
    })
    await Promise.all(searches)
  })

  it('changes of one organisation that wait leave connections for another', async () => {
    await open(LONG_MS)
    const stuck: Promise<unknown>[] = []
    await ledger.transaction(async (transaction) => {
      await sql`LOCK TABLE organizations`.execute(transaction)
      for (let person = 0; person < LIMITS.LEDGER_POSTGRES_CONNECTIONS; person += 1) {
        stuck.push(onBehalfOf({ organizationId: 1, caller: `user:${person}` }, change))
      }
      const other = onBehalfOf(EDSGER, () => ledger.transaction((own) => sql`SELECT 1 AS one`.execute(own)))
      expect((await other).rows).toEqual([{ one: 1 }])
    })
    await Promise.all(stuck)
  })
})

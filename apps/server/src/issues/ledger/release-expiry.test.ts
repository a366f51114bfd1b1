import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { expireReleases } from './expiry.ts'

/** An engine starts here, on machines that may be busy. */
const ENGINE_STARTS_MS = 120_000
const BEFORE = 1000

describe.each(LEDGER_ENGINES)('releases that go with age, with a ledger on $name', (engine) => {
  let opened: OpenedLedger
  beforeAll(async () => {
    opened = await engine.open()
    await seedOrganization(opened.ledger)
  }, ENGINE_STARTS_MS)
  afterAll(() => opened.close())

  it('are those that nobody named lately, be it an event or who builds them', async () => {
    const { db } = opened.ledger
    await db
      .insertInto('releases')
      .values(
        [
          { version: 'gone', first_seen: 1, last_seen: 999, date_released: null },
          { version: 'had an event', first_seen: 1, last_seen: 1000, date_released: null },
          { version: 'told today, without an event', first_seen: 1000, last_seen: 0, date_released: null },
          { version: 'told long ago, without an event', first_seen: 1, last_seen: 0, date_released: null },
          { version: 'released today', first_seen: 1, last_seen: 0, date_released: 1000 },
          { version: 'released long ago', first_seen: 1, last_seen: 0, date_released: 2 },
        ].map((row) => ({ ...row, organization_id: 1 })),
      )
      .execute()
    expect(await expireReleases(opened.ledger, 1, BEFORE)).toBe(3)
    const left = await db.selectFrom('releases').select('version').orderBy('id').execute()
    expect(left.map(({ version }) => version)).toEqual([
      'had an event',
      'told today, without an event',
      'released today',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization } from '../storage/conformance/engines.ts'
import { createPersonalFacts } from './ledger/erase-facts.ts'
import { LIMITS } from './limits.ts'

const AT = 1_700_000_000_000
const MARTA = '{"user":{"id":"7","email":"Marta@x.example"}}'
const JONAS = '{"user":{"id":"70","email":"jonas@x.example"}}'

describe.each(LEDGER_ENGINES)('facts that name a person who is erased, on $name', ({ open }) => {
  it('are counted and go a few at a time, and whoever waits no longer is told', async () => {
    const opened = await open()
    const { ledger } = opened
    await seedOrganization(ledger)
    await ledger.db
      .insertInto('organizations')
      .values({ slug: 'zeta', name: 'Zeta', retention_days: 90, settings: '{}', created_at: AT })
      .execute()
    const fact = { organization_id: 1, project_id: null, kind: 'seen', issue_id: null, report_id: null, actor_id: null }
    const told = { ...fact, received_at: AT, noted_at: AT, data: JONAS }
    const all = LIMITS.FACT_SEARCHED_ROWS * 3
    // In the first, the second and the last span; their numbers leave room.
    const hers = new Set([1, LIMITS.FACT_SEARCHED_ROWS + 1, all - 1, all])
    const facts = Array.from({ length: all }, (_, index) => ({
      ...told,
      id: (index + 1) * 1000,
      data: hers.has(index + 1) ? MARTA : JONAS,
    }))
    for (let from = 0; from < all; from += 500) {
      await ledger.db
        .insertInto('facts')
        .values(facts.slice(from, from + 500))
        .execute()
    }
    const others = [
      { ...told, id: 500, data: MARTA, organization_id: 2 },
      { ...told, id: 501, data: MARTA, received_at: AT + 1 },
    ]
    await ledger.db.insertInto('facts').values(others).execute()
    const personal = createPersonalFacts({ ledger })
    const person = { organizationId: 1, keys: ['id:7'], emails: ['marta@x.example'], receivedUntil: AT }
    await expect(personal.count(person, 0)).rejects.toMatchObject({ reason: 'slow' })
    expect(await personal.count(person, 60)).toBe(hers.size)
    await personal.erase(person, new AbortController().signal)
    expect(await personal.count(person, 60)).toBe(0)
    const left = await ledger.db.selectFrom('facts').select('id').where('data', '=', MARTA).orderBy('id').execute()
    expect(left.map(({ id }) => id)).toEqual([500, 501])
    expect(await ledger.db.selectFrom('facts').select('id').execute()).toHaveLength(all - hers.size + 2)
    await opened.close()
  })
})

import { expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization } from '../conformance/engines.ts'
import { idRanges, type IdRange, type RowsOf } from './id-ranges.ts'

const FEW = 5

it.each(LEDGER_ENGINES)(
  'ranges of ids are of all rows, or of those of one organisation alone, on $name',
  async ({ open }) => {
    const { ledger, close } = await open()
    await seedOrganization(ledger)
    await ledger.db
      .insertInto('organizations')
      .values({ slug: 'zeta', name: 'Zeta', retention_days: 90, settings: '{}', created_at: 1 })
      .execute()
    const fact = { project_id: null, kind: 'seen', issue_id: null, report_id: null, actor_id: null, data: '{}' }
    const rows = Array.from({ length: 40 }, (_, index) => ({
      ...fact,
      id: index + 1,
      organization_id: index % 20 === 7 ? 2 : 1,
      received_at: 1,
      noted_at: 1,
    }))
    await ledger.db.insertInto('facts').values(rows).execute()
    const rangesOf = async (of?: RowsOf): Promise<IdRange[]> => {
      const ranges: IdRange[] = []
      for await (const range of idRanges(ledger, 'facts', FEW, of)) ranges.push(range)
      return ranges
    }
    expect(await rangesOf()).toHaveLength(rows.length / FEW)
    expect(await rangesOf({ column: 'organization_id', value: 2 })).toEqual([{ after: 0, last: 28 }])
    const own = await rangesOf({ column: 'organization_id', value: 1 })
    expect([own.length, own[0], own.at(-1)?.last]).toEqual([8, { after: 0, last: 5 }, 40])
    expect(await rangesOf({ column: 'organization_id', value: 3 })).toEqual([])
    await close()
  },
)

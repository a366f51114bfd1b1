import type { ClickHouseClient } from '@clickhouse/client'
import { isPerson, rowsOf } from '../search/index.ts'
import { erasedParams, ofErasedPerson, personalRows, type Ledger, type PersonalData } from '../storage/index.ts'
import { markUnsummed } from './ledger/span-days.ts'

const NAMED = isPerson('user')

/** Spans that were made for a person, and the transactions that they are. Days of which some go are summed up anew. */
export const createPersonalSpans = (client: ClickHouseClient, ledger: Ledger): PersonalData => {
  const rows = personalRows(client, { what: 'spans', tables: ['spans', 'segments'], named: NAMED })
  return {
    ...rows,
    erase: async (person, signal) => {
      const days = await rowsOf(client)<{ day: number }>(
        `SELECT DISTINCT intDiv(toUnixTimestamp(timestamp), 86400) AS day FROM spans WHERE ${ofErasedPerson(NAMED)}`,
        erasedParams(person),
      )
      const summed = days.map(({ day }) => day)
      // Before, for whoever is interrupted; and after, for sums that were made meanwhile.
      await markUnsummed(ledger, summed)
      await rows.erase(person, signal)
      await markUnsummed(ledger, summed)
    },
  }
}

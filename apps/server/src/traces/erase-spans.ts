import type { ClickHouseClient } from '@clickhouse/client'
import { isPersonInAttributes, rowsOf } from '../search/index.ts'
import {
  deleteRowsOfTable,
  erasedParams,
  ofErasedPerson,
  personalRows,
  type Ledger,
  type PersonalData,
} from '../storage/index.ts'
import { markUnsummed } from './ledger/span-days.ts'

const NAMED = isPersonInAttributes('user')
const OWN = ofErasedPerson(NAMED)

/** Transactions do not say when they were received: their spans do. */
const OWN_SEGMENTS = `organization_id = {organization:UInt32}
  AND (project_id, trace_id, span_id) IN (SELECT project_id, trace_id, span_id FROM spans WHERE ${OWN})`

/** Spans that were made for a person, and the transactions that they are. Days of which some go are summed up anew. */
export const createPersonalSpans = (client: ClickHouseClient, ledger: Ledger): PersonalData => {
  const spans = personalRows(client, { what: 'spans', counted: [['spans', 'count()']], named: () => NAMED })
  return {
    ...spans,
    erase: async (person, signal) => {
      const parameters = erasedParams(person)
      const days = await rowsOf(client)<{ day: number }>(
        `SELECT DISTINCT intDiv(toUnixTimestamp(timestamp), 86400) AS day FROM spans WHERE ${OWN}`,
        parameters,
      )
      const summed = days.map(({ day }) => day)
      // Before, for whoever is interrupted; and after, for sums that were made meanwhile.
      await markUnsummed(ledger, summed)
      await deleteRowsOfTable(client, 'segments', { sql: OWN_SEGMENTS, parameters }, signal)
      await spans.erase(person, signal)
      await markUnsummed(ledger, summed)
    },
  }
}

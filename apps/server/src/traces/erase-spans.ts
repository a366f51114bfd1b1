import type { ClickHouseClient } from '@clickhouse/client'
import { BY_HASH, BY_NAME, type NamesSql } from '../lib/names-sql.ts'
import { isPersonInAttributes, rowsOf } from '../search/index.ts'
import {
  deleteRowsOfTable,
  erasedHashes,
  erasedParams,
  ofErasedPerson,
  personalRows,
  type Ledger,
  type PersonalData,
} from '../storage/index.ts'
import { markUnsummed } from './ledger/span-days.ts'

const named = (names: NamesSql): string => isPersonInAttributes('user', names)

/** Transactions do not say when they were received: their spans do. */
const OWN_SEGMENTS = `organization_id = {organization:UInt32}
  AND (project_id, trace_id, span_id) IN (SELECT project_id, trace_id, span_id FROM spans WHERE ${ofErasedPerson(named(BY_HASH))})`

/** Spans that were made for a person, and the transactions that they are. Days of which some go are summed up anew. */
export const createPersonalSpans = (client: ClickHouseClient, ledger: Ledger): PersonalData => {
  const spans = personalRows(client, {
    what: 'spans',
    counted: [['spans', 'count()']],
    named: (_, names) => named(names),
  })
  return {
    ...spans,
    erase: async (person, signal) => {
      const days = await rowsOf(client)<{ day: number }>(
        `SELECT DISTINCT intDiv(toUnixTimestamp(timestamp), 86400) AS day FROM spans WHERE ${ofErasedPerson(named(BY_NAME))}`,
        erasedParams(person),
      )
      const summed = days.map(({ day }) => day)
      // Before, for whoever is interrupted; and after, for sums that were made meanwhile.
      await markUnsummed(ledger, summed)
      await deleteRowsOfTable(client, 'segments', { sql: OWN_SEGMENTS, parameters: erasedHashes(person) }, signal)
      await spans.erase(person, signal)
      await markUnsummed(ledger, summed)
    },
  }
}

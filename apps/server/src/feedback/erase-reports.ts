import { sql } from 'kysely'
import type { ServerParts } from '../capability.ts'
import { forgetItemsOfEvents } from '../kept-items/index.ts'
import { BY_HASH, BY_NAME } from '../lib/names-sql.ts'
import {
  countRows,
  deleteRowsOfTable,
  erasedHashes,
  erasedParams,
  type ErasedPerson,
  type PersonalData,
} from '../storage/index.ts'
import type { Inbox } from './ledger/inbox.ts'
import { ownReports } from './ledger/own-reports.ts'
import { forgetReportRows, freeReportRows, reportRowsOfPerson } from './telemetry/report-rows.ts'
import { LIMITS } from './limits.ts'

interface ErasingParts extends Pick<ServerParts, 'client' | 'clock' | 'freeing' | 'ledger'> {
  readonly inbox: Pick<Inbox, 'remove'>
}

/**
 * What a person said, with its thread and the files that came with it. Reports of others that stood under one of theirs
 * stay. The files are first, and what is counted of them: as long as a report is there, an interrupted erasure finds it again.
 */
export const createPersonalReports = ({ client, clock, freeing, inbox, ledger }: ErasingParts): PersonalData => {
  const own = (person: ErasedPerson) =>
    ledger.db
      .selectFrom('feedback')
      .where('id', 'in', ownReports(ledger.dialect, person, sql`f.created_at <= ${person.receivedUntil}`))
  const forgetSome = async (person: ErasedPerson): Promise<boolean> => {
    const { organizationId } = person
    const reports = await own(person)
      .select(['id', 'project_id', 'event_id'])
      .orderBy('id')
      .limit(LIMITS.ERASED_REPORTS_PER_STEP)
      .execute()
    for (const [projectId, some] of Map.groupBy(reports, (report) => report.project_id)) {
      const eventIds = some.map(({ event_id: eventId }) => eventId)
      await forgetItemsOfEvents({ client, ledger }, { organizationId, projectId, eventIds })
      await forgetReportRows(client, { organizationId, projectId, eventIds })
    }
    const actor = { organizationId, userId: null, now: clock.now() }
    await inbox.remove(
      actor,
      reports.map(({ id }) => id),
    )
    return reports.length > 0
  }
  return {
    what: 'reports',
    count: async (person, seconds) => {
      const { count } = await own(person)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (count > 0) return count
      const condition = { sql: reportRowsOfPerson(BY_NAME), parameters: erasedParams(person) }
      return countRows(client, condition, { table: 'feedback_reports', counted: 'uniqExact(project_id, id)', seconds })
    },
    erase: async (person, signal) => {
      await freeing.after(async () => {
        do signal.throwIfAborted()
        while (await forgetSome(person))
      })
      // What is counted of a report may have outlived it: whoever deleted the report was killed, or it was not yet written.
      const condition = { sql: reportRowsOfPerson(BY_HASH), parameters: erasedHashes(person) }
      await deleteRowsOfTable(client, 'feedback_reports', condition, signal)
      await freeReportRows(client)
    },
  }
}

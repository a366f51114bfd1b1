import type { ClickHouseClient } from '@clickhouse/client'
import type { DigestItem } from '../../ingest/index.ts'
import type { NamesSql } from '../../lib/names-sql.ts'
import { ofErasedPerson } from '../../storage/index.ts'
import { encodedTable, type EncodedRow } from '../../storage/telemetry/row-writer.ts'
import { line, map, milliseconds, text, uuid, uuidOrNone } from '../../storage/telemetry/tab-separated.ts'
import type { FeedbackReport } from '../feedback.ts'
import { LIMITS } from '../limits.ts'
import { senderOf } from '../spam.ts'
import { writerOf } from '../writer.ts'

/** What alerts count of reports, beside the ledger. */

export const REPORTS = encodedTable({ table: 'feedback_reports', id: 'id', idType: 'UUID', time: 'received' }, [
  'organization_id',
  'project_id',
  'received',
  'id',
  'source',
  'message',
  'user',
  'user_email',
  'url',
  'browser',
  'os',
  'environment',
  'release',
  'attachments',
  'replay_id',
  'trace_id',
  'tags',
])

/** @param attachments files that came with it */
export const encodeReport = (
  { receivedAt, sender }: Pick<DigestItem, 'receivedAt' | 'sender'>,
  report: FeedbackReport,
  { addressHash, attachments }: { readonly addressHash: string; readonly attachments: number },
): EncodedRow => ({
  place: { projectId: sender.projectId, id: uuid(report.eventId), at: receivedAt },
  line: line([
    sender.organizationId,
    sender.projectId,
    milliseconds(receivedAt),
    uuid(report.eventId),
    text(report.source),
    text(report.message.slice(0, LIMITS.FEEDBACK_SEARCHED_CHARS)),
    text(writerOf(report, senderOf(addressHash, report))),
    text(report.email),
    text(report.url),
    text(report.browser),
    text(report.os),
    text(report.environment),
    text(report.release),
    attachments,
    uuidOrNone(report.replayId ?? ''),
    uuidOrNone(report.traceId ?? ''),
    map(report.tags),
  ]),
})

interface ReportsOfProject {
  readonly organizationId: number
  readonly projectId: number
  readonly eventIds: readonly string[]
}

const OF_REPORTS =
  'organization_id = {organization:UInt32} AND project_id = {project:UInt64} AND id IN {ids:Array(UUID)}'

/** What is counted of reports of a person: whoever the page knew by a key, or who gave an address. */
export const reportRowsOfPerson = ({ isKey, isEmail }: NamesSql): string =>
  ofErasedPerson(`${isKey('user')} OR ${isEmail('lowerUTF8(user_email)')}`)

/** Deletes what is counted of these reports. */
export const forgetReportRows = async (
  client: Pick<ClickHouseClient, 'command' | 'query'>,
  { eventIds, organizationId, projectId }: ReportsOfProject,
): Promise<void> => {
  const query_params = { organization: organizationId, project: projectId, ids: eventIds.map(uuid) }
  const found = await client.query({
    query: `SELECT 1 FROM feedback_reports WHERE ${OF_REPORTS} LIMIT 1`,
    query_params,
    format: 'JSONEachRow',
  })
  // Each deletion makes every later question look for what is hidden.
  if ((await found.json()).length === 0) return
  await client.command({ query: `DELETE FROM feedback_reports WHERE ${OF_REPORTS}`, query_params })
}

/** Deleted rows are only hidden until their part is written anew, which may take weeks: this does it now. */
export const freeReportRows = async (client: Pick<ClickHouseClient, 'command'>): Promise<void> => {
  await client.command({
    query: 'ALTER TABLE feedback_reports APPLY DELETED MASK',
    clickhouse_settings: { mutations_sync: '0' },
  })
}

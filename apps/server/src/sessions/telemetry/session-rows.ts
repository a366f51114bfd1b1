import type { DigestItem } from '../../ingest/index.ts'
import { encodedTable, type EncodedRow } from '../../storage/telemetry/row-writer.ts'
import { flag, line, milliseconds, text, uuid } from '../../storage/telemetry/tab-separated.ts'
import { rankOf, type SessionCount, type SessionUpdate } from '../session.ts'
import type { NumberOfUser } from '../user-number.ts'

export const SESSION_UPDATES = encodedTable({ table: 'session_updates', id: 'id', idType: 'UInt64', time: 'started' }, [
  'organization_id',
  'project_id',
  'started',
  'session',
  'id',
  'at',
  'sequence',
  'is_first',
  'rank',
  'errors',
  'duration',
  'user',
  'release',
  'environment',
  'mechanism',
  'received',
])

export const SESSION_COUNTS = encodedTable({ table: 'session_counts', id: 'id', idType: 'UInt64', time: 'started' }, [
  'organization_id',
  'project_id',
  'started',
  'id',
  'exited',
  'errored',
  'unhandled',
  'abnormal',
  'crashed',
  'user',
  'release',
  'environment',
  'received',
])

/** Of a session whose duration is not known. */
const NO_DURATION = -1

/** @param id of the row, as decimal digits */
export const encodeUpdate = (
  { sender, receivedAt }: DigestItem,
  update: SessionUpdate,
  { id, userNumber }: { readonly id: string; readonly userNumber: NumberOfUser },
): EncodedRow => ({
  place: { projectId: sender.projectId, id, at: update.startedAt },
  line: line([
    sender.organizationId,
    sender.projectId,
    milliseconds(update.startedAt),
    uuid(update.session),
    id,
    milliseconds(update.at),
    update.sequence ?? 0,
    flag(update.isFirst),
    rankOf(update.status),
    update.errors,
    update.durationMs ?? NO_DURATION,
    userNumber(sender.organizationId, update.user),
    text(update.release),
    text(update.environment),
    text(update.mechanism),
    milliseconds(receivedAt),
  ]),
})

/** @param id of the row, as decimal digits */
export const encodeCount = (
  { sender, receivedAt }: DigestItem,
  count: SessionCount,
  { id, userNumber }: { readonly id: string; readonly userNumber: NumberOfUser },
): EncodedRow => ({
  place: { projectId: sender.projectId, id, at: count.startedAt },
  line: line([
    sender.organizationId,
    sender.projectId,
    milliseconds(count.startedAt),
    id,
    count.exited,
    count.errored,
    count.unhandled,
    count.abnormal,
    count.crashed,
    userNumber(sender.organizationId, count.user),
    text(count.release),
    text(count.environment),
    milliseconds(receivedAt),
  ]),
})

import type { ShownText } from '@firsthand/recording'
import { encodedTable, type EncodedRow } from '../../storage/telemetry/row-writer.ts'
import { line, milliseconds, text, uuid } from '../../storage/telemetry/tab-separated.ts'
import type { Segment } from '../segment.ts'
import { rowIdOf } from './row-id.ts'

export const REPLAY_TEXTS = encodedTable({ table: 'replay_texts', id: 'id', idType: 'UInt64', time: 'timestamp' }, [
  'organization_id',
  'project_id',
  'replay_id',
  'id',
  'timestamp',
  'text',
  'written',
])

/** @param place among the texts of its segment */
export const encodeText = (segment: Segment, shown: ShownText, place: number): EncodedRow => {
  const id = rowIdOf(segment, place)
  const at = Math.round(shown.at)
  return {
    place: { projectId: segment.projectId, id, at },
    line: line([
      segment.organizationId,
      segment.projectId,
      uuid(segment.replayId),
      id,
      milliseconds(at),
      text(shown.text),
      text(shown.written),
    ]),
  }
}

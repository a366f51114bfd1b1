import { encodedTable, type EncodedRow } from '../../storage/telemetry/row-writer.ts'
import { line, map, milliseconds, strings, text, uuid } from '../../storage/telemetry/tab-separated.ts'
import type { Mark } from '../mark.ts'
import type { Segment } from '../segment.ts'
import { rowIdOf } from './row-id.ts'

export const REPLAY_MARKS = encodedTable({ table: 'replay_marks', id: 'id', idType: 'UInt64', time: 'timestamp' }, [
  'organization_id',
  'project_id',
  'replay_id',
  'id',
  'timestamp',
  'kind',
  'text',
  'url',
  'node_id',
  'selector',
  'tag',
  'element_id',
  'classes',
  'role',
  'alt',
  'testid',
  'aria_label',
  'title',
  'component',
  'value',
  'duration',
  'status',
  'detail',
])

const numberOrNone = (value: number | null): string => (value === null ? '\\N' : String(value))

const NO_NODE = -1

/** @param place among the marks of its segment */
export const encodeMark = (segment: Segment, mark: Mark, place: number): EncodedRow => {
  const { element } = mark
  const id = rowIdOf(segment, place)
  const at = Math.round(mark.at)
  return {
    place: { projectId: segment.projectId, id, at },
    line: line([
      segment.organizationId,
      segment.projectId,
      uuid(segment.replayId),
      id,
      milliseconds(at),
      text(mark.kind),
      text(mark.text),
      text(mark.url),
      element?.nodeId ?? NO_NODE,
      text(element?.selector ?? ''),
      text(element?.tag ?? ''),
      text(element?.id ?? ''),
      strings(element?.classes ?? []),
      text(element?.role ?? ''),
      text(element?.alt ?? ''),
      text(element?.testid ?? ''),
      text(element?.ariaLabel ?? ''),
      text(element?.title ?? ''),
      text(element?.component ?? ''),
      numberOrNone(mark.value),
      numberOrNone(mark.duration),
      mark.status,
      map(Object.entries(mark.detail)),
    ]),
  }
}

import { PAGE_LIMIT_MAX } from '@firsthand/contract'
import type { PageLinks } from '@firsthand/contract'
import { badRequest } from '../../http/index.ts'

/** How a list is asked for. */
interface Asked {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

const DEFAULT_LIMIT = 100

/** Behind how many rows, and behind which one; 0 and '' for the beginning. */
interface Place {
  readonly offset: number
  readonly id: string
}

const cursorOf = ({ id }: { readonly id: string }, offset: number, way: 0 | 1): string => `${offset}:${id}:${way}`

/** @throws HttpError 400 when the cursor is not one of ours */
const readPlace = (cursor: string | undefined): Place => {
  if (cursor === undefined || cursor === '') return { offset: 0, id: '' }
  const [, offset, id] = /^(\d{1,7}):(\d{1,16}):[01]$/.exec(cursor) ?? []
  if (offset === undefined || id === undefined) {
    throw badRequest('The cursor is not one that this list gave out. Start without it.')
  }
  return { offset: Number(offset), id }
}

/**
 * A part of a list that is read whole: behind the row that was given last, wherever that stands by now. Where it is gone,
 * those behind it have moved up by one.
 *
 * @throws HttpError 400 when the cursor is not one of ours
 */
export const pageOf = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  { cursor, limit: wanted = DEFAULT_LIMIT }: Asked,
): { readonly body: Row[]; readonly page: PageLinks; readonly hits: number } => {
  const limit = Math.min(wanted, PAGE_LIMIT_MAX)
  const { id, offset } = readPlace(cursor)
  const known = rows.findIndex((row) => row.id === id)
  const from = offset === 0 ? 0 : known === -1 ? offset - 1 : known + 1
  const body = rows.slice(from, from + limit)
  const last = body.at(-1)
  const behind = from + body.length
  const isMore = last !== undefined && behind < rows.length
  const before = Math.max(0, from - limit)
  return {
    body,
    page: {
      next: isMore ? cursorOf(last, behind, 0) : null,
      previous: from > 0 ? cursorOf(rows[before - 1] ?? { id: '0' }, before, 1) : null,
    },
    hits: rows.length,
  }
}

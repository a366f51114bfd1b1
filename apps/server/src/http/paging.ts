import { PAGE_LIMIT_MAX } from '@firsthand/contract'
import type { PageLinks } from '@firsthand/contract'
import type { MomentPage } from '../lib/moment-page.ts'
import type { OffsetPage } from '../lib/offset-page.ts'
import { badRequest } from './errors.ts'

/** Cursors in Sentry's form, `<value>:<offset>:<is previous>`, for lists that are paged by offset. */

const DEFAULT_LIMIT = 100

const NO_CURSOR = 'The cursor is not one that this list gave out. Start without it.'

/** @throws HttpError 400 when the cursor is not one of ours */
export const readPage = (query: { cursor?: string | undefined; limit?: number | undefined }): OffsetPage => {
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, PAGE_LIMIT_MAX)
  if (query.cursor === undefined || query.cursor === '') return { offset: 0, limit }
  const offset = /^\d{1,10}:(\d{1,7}):[01]$/.exec(query.cursor)?.[1]
  if (offset === undefined) throw badRequest(NO_CURSOR)
  return { offset: Number(offset), limit }
}

/**
 * @param rows up to `limit + 1` of them: the one too many says that there is a next page
 */
export const toPage = <Row>(rows: readonly Row[], { offset, limit }: OffsetPage): { rows: Row[]; page: PageLinks } => ({
  rows: rows.slice(0, limit),
  page: {
    next: rows.length > limit ? `0:${offset + limit}:0` : null,
    previous: offset > 0 ? `0:${Math.max(0, offset - limit)}:1` : null,
  },
})

/**
 * Of a list that grows at its top: `<moment>:<id>:0` of the last row that was given. What comes in meanwhile moves nothing.
 *
 * @throws HttpError 400 when the cursor is not one of ours
 */
export const readMomentPage = (query: { cursor?: string | undefined; limit?: number | undefined }): MomentPage => {
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, PAGE_LIMIT_MAX)
  if (query.cursor === undefined || query.cursor === '') return { behind: null, limit }
  const [, at, id] = /^(\d{1,15}):(\d{1,15}):0$/.exec(query.cursor) ?? []
  if (at === undefined || id === undefined) throw badRequest(NO_CURSOR)
  return { behind: { at: Number(at), id: Number(id) }, limit }
}

/**
 * @param rows up to `limit + 1` of them: the one too many says that there is a next page
 * @param placeOf by which they are ordered
 */
export const toMomentPage = <Row>(
  rows: readonly Row[],
  { limit }: MomentPage,
  placeOf: (row: Row) => { readonly at: number; readonly id: number },
): { rows: Row[]; page: PageLinks } => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const place = rows.length > limit && last !== undefined ? placeOf(last) : null
  return { rows: shown, page: { next: place === null ? null : `${place.at}:${place.id}:0`, previous: null } }
}

import type { Segment } from '../segment.ts'

/**
 * Ids of marks and texts: the first 8 bytes of the id of their segment, and their place in it. The same segment, sent twice,
 * has the same rows.
 */

const firstOf = (segmentId: string): bigint => BigInt(`0x${segmentId.slice(0, 16)}`)

/** @param place among the rows of its kind in the segment */
export const rowIdOf = ({ id }: Pick<Segment, 'id'>, place: number): string =>
  BigInt.asUintN(64, firstOf(id) + BigInt(place)).toString()

/** The id of the first row of a segment, as SQL. @param hex SQL of the 32 hex characters of the segment's id */
export const firstRowOf = (hex: string): string => `reinterpretAsUInt64(reverse(unhex(substring(${hex}, 1, 16))))`

const LARGEST = 2n ** 64n - 1n

/** Whether a text can be such an id. */
export const isRowId = (written: string): boolean => /^\d{1,20}$/.test(written) && BigInt(written) <= LARGEST

import type { Segment } from '../segment.ts'

/**
 * Ids of marks and texts: the first 8 bytes of the id of their segment, and their place in it. The same segment, sent twice,
 * has the same rows.
 */

const firstOf = (segmentId: string): bigint => BigInt(`0x${segmentId.slice(0, 16)}`)

/** @param place among the rows of its kind in the segment */
export const rowIdOf = ({ id }: Pick<Segment, 'id'>, place: number): string =>
  BigInt.asUintN(64, firstOf(id) + BigInt(place)).toString()

/** The place that a row would have in a segment; beyond all places when it is none of its rows. */
export const placeIn = ({ id }: Pick<Segment, 'id'>, rowId: string): number =>
  Number(BigInt.asUintN(64, BigInt(rowId) - firstOf(id)))

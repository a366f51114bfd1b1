import { createHash, type Hash } from 'node:crypto'
import type { SegmentRecord } from '../replay.ts'

/** Which segments a replay was cut of, as a number that stands in those of its chunks. */

const VERSIONS = 2 ** 24

/** Raised when the same segments are cut in another way. */
const WAY_OF_CUTTING = 3

const begin = (): Hash => createHash('sha256').update(`${WAY_OF_CUTTING}`)

const add = (hash: Hash, { id, shift }: SegmentRecord): Hash => hash.update(` ${id} ${shift}`)

const end = (hash: Hash): number => hash.digest().readUInt32BE(0) % VERSIONS

export const versionOf = (segments: readonly SegmentRecord[]): number => {
  const hash = begin()
  for (const segment of segments) add(hash, segment)
  return end(hash)
}

/** Whether it is of these segments, or was when fewer of them had come. */
export const isVersionOf = (version: number, segments: readonly SegmentRecord[]): boolean => {
  const hash = begin()
  return segments.some((segment) => end(add(hash, segment).copy()) === version)
}

import type { Pack } from '../ledger/replay-packs.ts'

/** Of one replay at most; numbers of chunks have the version of their pack before it. */
const CHUNKS = 1_000_000

export const numberOf = ({ version }: Pack, index: number): number => version * CHUNKS + index

export const indexOf = (number: number): number => number % CHUNKS

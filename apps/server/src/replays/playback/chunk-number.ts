import { readNumber } from '../asked-number.ts'
import type { Pack } from '../ledger/replay-packs.ts'

/** Of one replay at most; numbers of chunks have the version of their pack before it. */
const CHUNKS = 1_000_000

export const numberOf = ({ version }: Pack, index: number): number => version * CHUNKS + index

/** As an address has it; what is no number names no chunk of any pack. */
export const readChunkNumber = (written: string): number => readNumber(written) ?? Number.NaN

export const versionIn = (number: number): number => Math.floor(number / CHUNKS)

export const indexOf = (number: number): number => number % CHUNKS

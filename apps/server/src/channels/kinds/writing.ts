import { createHash } from 'node:crypto'
import type { Message } from '../message.ts'
import { cut, type Measure } from '../text.ts'
import type { Sending } from './kind.ts'

/** How a channel writes text that may be nothing but text. */
export interface Escaper {
  readonly escape: (text: string) => string
  /** The most that one character takes once it is escaped, in what the channel counts. */
  readonly measure: Measure
}

/** As much of a text as fits, escaped. */
export const fit = (text: string, limit: number, { escape, measure }: Escaper): string =>
  escape(cut(text, limit, measure))

/** Stands where nothing is said and something has to. */
export const NOTHING = '–'

export const linkTo = ({ publicUrl }: Pick<Sending, 'publicUrl'>, path: string): string => `${publicUrl}${path}`

/** By it people see that two messages are the same one. */
const shortKey = (id: string): string =>
  BigInt(`0x${createHash('sha256').update(id).digest('hex').slice(0, 12)}`)
    .toString(36)
    .slice(-4)

/** Why somebody gets it. A chat cannot tell that a message came before, so one that may have is marked. */
export const footOf = ({ message, id, isRepeated }: Sending): string =>
  `${message.reason} #${shortKey(id)}${isRepeated ? ' (sent again: it may have come before)' : ''}`

export const COLOURS: Readonly<Record<Message['level'], number>> = {
  fatal: 0xa3_12_5b,
  error: 0xcf_33_27,
  warning: 0xb8_73_0a,
  info: 0x2b_6c_b8,
  ok: 0x2c_7a_3f,
}

/** JSON of an answer, or nothing where it is none. */
export const readJson = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // It speaks of something else, e.g. a proxy's page.
    return {}
  }
}

/** Gives each a part of what there is, none more than `most`, the first ones first. */
export const portions = <Value, Written extends { readonly size: number }>(
  values: readonly Value[],
  { total, most, least }: { readonly total: number; readonly most: number; readonly least: number },
  write: (value: Value, limit: number) => Written,
): readonly Written[] => {
  const written: Written[] = []
  let left = total
  for (const value of values) {
    if (left < least) break
    const one = write(value, Math.min(most, left))
    if (one.size > left) break
    left -= one.size
    written.push(one)
  }
  return written
}

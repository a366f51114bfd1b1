import type { NoAnswer } from '../../lib/outgoing.ts'

/** Why something of a page was not kept. */
export type AssetFailure =
  | NoAnswer
  /** The site answered with this status. */
  | `http_${number}`
  /** No picture, font or style sheet, or not what its sender calls it. */
  | 'wrong_type'
  /** A style sheet that takes more time or memory to read than it may. */
  | 'unreadable_sheet'
  /** More wait in the project than may. */
  | 'too_many'
  /** The project has had its share of the day. */
  | 'day_full'
  /** The project has nothing fetched any more. */
  | 'switched_off'

const LATER: ReadonlySet<AssetFailure> = new Set<AssetFailure>([
  'failed',
  'too_slow',
  'unknown_host',
  'http_408',
  'http_425',
  'http_429',
])

/** Whether it may be otherwise another time. */
export const isWorthRetrying = (failure: AssetFailure): boolean => LATER.has(failure) || /^http_5\d\d$/.test(failure)

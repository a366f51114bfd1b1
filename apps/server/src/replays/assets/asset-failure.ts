import type { AssetFailure } from '../asset.ts'

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

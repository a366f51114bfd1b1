/** Attempts after which an error that looks like the data's fault is believed to be. */
const BELIEVED_AFTER = 3

/** SQLite: too big, constraint, mismatch. */
const SQLITE_DATA = new Set([18, 19, 20])

/**
 * True when an error of the ledger is about the data that it was given and will come again each time: a value that the
 * database refuses, or a fault in our own code. Everything else (away, full, locked, out of memory) passes.
 */
export const isDataFault = (error: unknown, attempts: number): boolean => {
  if (attempts < BELIEVED_AFTER || !(error instanceof Error)) return false
  if (error instanceof TypeError || error instanceof RangeError) return true
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // PostgreSQL's classes 22 (data exception) and 23 (integrity constraint violation).
  if (typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code)) return true
  return typeof errcode === 'number' && SQLITE_DATA.has(errcode & 0xff)
}

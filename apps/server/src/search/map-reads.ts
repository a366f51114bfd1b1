import { LIMITS } from './limits.ts'

/** Columns of text that each sender fills as it likes. */
const MAPS = /\b(?:strings|lists)\b/

/**
 * How a statement is read. What is in a map is as large as its sender made it, up to `ATTRIBUTES_CHARS` a row: some hundred
 * rows like that in one block would be more than a question may hold, and the organisation would be without its answers.
 *
 * @param sql without anything that a caller wrote
 */
export const readSettings = (sql: string): Readonly<Record<string, string>> =>
  MAPS.test(sql) ? { max_block_size: String(LIMITS.MAP_BLOCK_ROWS) } : {}

/**
 * Debug ids say which build a file is of. Tools write them in three ways: with hyphens or without, large or small, and with
 * an age behind them (Breakpad, PDB).
 */
const DEBUG_ID = /^[0-9a-f]{32}(?:[0-9a-f]{1,8})?$/

/** @returns 32 lower-case hexadecimal characters, and those of an age above zero; null of what is no debug id */
export const plainDebugId = (text: unknown): string | null => {
  if (typeof text !== 'string' || text.length > 64) return null
  const plain = text.toLowerCase().replaceAll('-', '')
  if (!DEBUG_ID.test(plain) || /^0{32}/.test(plain)) return null
  return plain.length > 32 && /^0+$/.test(plain.slice(32)) ? plain.slice(0, 32) : plain
}

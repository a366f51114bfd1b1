import type { Level } from '../event.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'

/** Levels by every name that SDKs use for them; numbers are those of Python's logging (protocol.md 3.1). */
const LEVEL_NAMES: ReadonlyMap<string, Level> = new Map([
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['50', 'fatal'],
  ['error', 'error'],
  ['40', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['30', 'warning'],
  ['info', 'info'],
  ['log', 'info'],
  ['20', 'info'],
  ['debug', 'debug'],
  ['trace', 'debug'],
  ['10', 'debug'],
])

export const readLevel = (reading: Reading, raw: Raw, fallback: Level): Level => {
  const value = raw['level']
  if (isAbsent(value) || value === '') return fallback
  const level =
    typeof value === 'string' || typeof value === 'number'
      ? (LEVEL_NAMES.get(String(value)) ?? LEVEL_NAMES.get(String(value).toLowerCase()))
      : undefined
  if (level !== undefined) return level
  reading.invalid('level', value, `unknown level, taken as ${fallback}`)
  return fallback
}

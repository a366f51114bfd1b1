import { LIMITS } from '../limits.ts'

/** Null for what is no name; a note says when it is cut. */
export const readName = (sent: unknown, notes: string[]): string | null => {
  if (typeof sent !== 'string') return null
  const name = sent.trim()
  if (name === '') return null
  if (name.length <= LIMITS.METRIC_NAME_CHARS) return name
  notes.push(`Its name had ${name.length} characters, of which the first ${LIMITS.METRIC_NAME_CHARS} are kept.`)
  return name.slice(0, LIMITS.METRIC_NAME_CHARS).toWellFormed()
}

/** '' for none: SDKs leave it out or say so. */
export const readUnit = (sent: unknown): string => {
  const unit = typeof sent === 'string' ? sent.trim().slice(0, LIMITS.METRIC_UNIT_CHARS).toWellFormed() : ''
  return unit === 'none' ? '' : unit
}

/** Units of OpenTelemetry (UCUM) that SDKs of Sentry have a word for. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['ns', 'nanosecond'],
  ['us', 'microsecond'],
  ['ms', 'millisecond'],
  ['s', 'second'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['wk', 'week'],
  ['bit', 'bit'],
  ['By', 'byte'],
  ['kBy', 'kilobyte'],
  ['KiBy', 'kibibyte'],
  ['MBy', 'megabyte'],
  ['MiBy', 'mebibyte'],
  ['GBy', 'gigabyte'],
  ['GiBy', 'gibibyte'],
  ['TBy', 'terabyte'],
  ['TiBy', 'tebibyte'],
  ['%', 'percent'],
  ['1', ''],
])

/** `s` → `second`, `{request}` → `request`; others stay what they are. */
export const unitOfOtlp = (sent: string): string => {
  const unit = readUnit(sent)
  return WORDS.get(unit) ?? unit.replace(/^\{(.*)\}$/s, '$1')
}

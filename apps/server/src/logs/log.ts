import type { AttributeValue } from '../event/index.ts'

/** What one log line says, whatever sent it. */
export interface ReadLog {
  /** Milliseconds since the epoch, and nanoseconds behind them. */
  readonly at: number
  readonly nanos: number
  /** Order among lines of the same moment. */
  readonly sequence: number
  /** 32 hex characters; '' when it belongs to no trace. */
  readonly traceId: string
  /** 16 hex characters; '' when it belongs to no span. */
  readonly spanId: string
  readonly level: LogLevel
  /** 1 to 24; four for each level. */
  readonly severity: number
  readonly body: string
  /** By the names of the OpenTelemetry and Sentry conventions, columns among them. */
  readonly attributes: { [name: string]: AttributeValue }
  /** Sentences about what was changed or left out. */
  readonly notes: readonly string[]
}

/** From the least to the most serious, each with four numbers: trace 1 to 4, … fatal 21 to 24. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const BAND = 4

/** Spellings of other libraries. */
const OTHER_WORDS: ReadonlyMap<string, LogLevel> = new Map([
  ['verbose', 'trace'],
  ['finest', 'trace'],
  ['finer', 'trace'],
  ['fine', 'debug'],
  ['log', 'info'],
  ['information', 'info'],
  ['informational', 'info'],
  ['notice', 'info'],
  ['warning', 'warn'],
  ['err', 'error'],
  ['severe', 'error'],
  ['critical', 'fatal'],
  ['crit', 'fatal'],
  ['alert', 'fatal'],
  ['emergency', 'fatal'],
  ['emerg', 'fatal'],
  ['panic', 'fatal'],
])

/** `INFO`, `warning`, `ERROR2`; null for any other word. */
export const levelOf = (word: unknown): LogLevel | null => {
  if (typeof word !== 'string' || word.length > 20) return null
  const name = word.trim().toLowerCase().replace(/\d$/, '')
  return LOG_LEVELS.find((level) => level === name) ?? OTHER_WORDS.get(name) ?? null
}

/**
 * Level and number, which always agree: the word decides, the number tells finer. A line that says neither is `info`.
 *
 * @param word as it was sent
 * @param number the same
 */
export const severityOf = (word: unknown, number: unknown): { readonly level: LogLevel; readonly severity: number } => {
  const sent = Number.isInteger(number) && Number(number) >= 1 && Number(number) <= 24 ? Number(number) : null
  const said = levelOf(word)
  const band = said === null ? (sent === null ? LOG_LEVELS.indexOf('info') : bandOf(sent)) : LOG_LEVELS.indexOf(said)
  const severity = sent !== null && bandOf(sent) === band ? sent : band * BAND + 1
  return { level: LOG_LEVELS[band] ?? 'info', severity }
}

const bandOf = (severity: number): number => Math.floor((severity - 1) / BAND)

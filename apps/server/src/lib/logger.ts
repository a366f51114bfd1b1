/** ERROR means that someone must get up; otherwise it is WARN. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger that adds these fields to every line. */
  with(fields: LogFields): Logger
}

/** Control characters (line breaks, ANSI escapes, bidi marks) in logged values would forge or hide log lines. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

const escapeUnsafe = (text: string): string =>
  text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const formatValue = (value: string | number | boolean | null): string => {
  if (typeof value !== 'string') return String(value)
  const safe = escapeUnsafe(value)
  return /^[^\s"=]+$/.test(safe) ? safe : JSON.stringify(safe)
}

/**
 * Structured lines (logfmt): `2026-11-20T10:00:00.000Z info message key=value …`.
 *
 * @param write receives one line, with its line feed
 */
export const createLogger = (
  minimum: LogLevel,
  write: (line: string) => void,
  now: () => number,
  base: LogFields = {},
): Logger => {
  const threshold = LOG_LEVELS.indexOf(minimum)
  const log = (level: LogLevel, message: string, fields: LogFields = {}): void => {
    if (LOG_LEVELS.indexOf(level) < threshold) return
    const parts = [new Date(now()).toISOString(), level, escapeUnsafe(message)]
    for (const [key, value] of Object.entries({ ...base, ...fields })) {
      if (value !== undefined) parts.push(`${key}=${formatValue(value)}`)
    }
    write(`${parts.join(' ')}\n`)
  }
  return {
    debug: (message, fields) => log('debug', message, fields),
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error: (message, fields) => log('error', message, fields),
    with: (fields) => createLogger(minimum, write, now, { ...base, ...fields }),
  }
}

import { timeZone } from '../../../lib/moments.ts'

/** Times of lines: to the millisecond, which no other screen shows. */

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(kind: 'time' | 'day'): Intl.DateTimeFormat {
  const key = `${kind} ${timeZone()}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: timeZone(),
    ...(kind === 'day'
      ? { day: 'numeric', month: 'short' }
      : { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }),
  })
  formats.set(key, made)
  return made
}

/** `14:08:36.902` */
export const timeOfLine = (timeMs: number): string => formatOf('time').format(timeMs)

/** `20 Nov` */
export const dayOfLine = (timeMs: number): string => formatOf('day').format(timeMs)

import { MINUTE_MS } from '../../lib/durations.ts'
import { err, ok, type Result } from '../../lib/result.ts'

/** A crontab line of five fields: which minutes, hours, days, months and weekdays it names. */
export interface Cron {
  /** Ascending. */
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  /** Bit n for day n of the month, 1 to 31; bit 0 for the last one. */
  readonly days: number
  /** Bit n for month n, 1 to 12. */
  readonly months: number
  /** Bit n for weekday n, 0 for Sunday: of each week, then of the first one of a month to the fifth, then of the last. */
  readonly weekdays: readonly number[]
  /** As cron of Unix has it: either is enough, unless one of both begins with an asterisk, be it the one of a step. */
  readonly isEitherDay: boolean
}

interface Field {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly names: readonly string[]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const FIELDS: readonly [Field, Field, Field, Field, Field] = [
  { name: 'minute', least: 0, most: 59, names: [] },
  { name: 'hour', least: 0, most: 23, names: [] },
  { name: 'day of the month', least: 1, most: 31, names: [] },
  { name: 'month', least: 1, most: 12, names: MONTHS },
  // Seven is Sunday as well.
  { name: 'weekday', least: 0, most: 7, names: WEEKDAYS },
]

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/** Days of the longest February and of the other months, by month. */
const LONGEST = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const MOST_CHARACTERS = 200

/** @returns why it is none, in a sentence */
export const parseCron = (text: string): Result<Cron, string> => {
  const line = text.trim().toLowerCase()
  if (line.length > MOST_CHARACTERS) return err(`A schedule has at most ${MOST_CHARACTERS} characters.`)
  if (line === '@reboot') return err('"@reboot" names no time, so nothing could be missed.')
  if (line.startsWith('@') && !NICKNAMES.has(line)) {
    return err(`"${line}" is no nickname of a schedule. There are ${[...NICKNAMES.keys()].join(', ')}.`)
  }
  const words = (NICKNAMES.get(line) ?? line).split(/\s+/)
  if (words.length === 6) {
    return err('The schedule has six fields. Here it has five: minute, hour, day, month, weekday, without seconds.')
  }
  if (words.length !== 5) {
    return err(`The schedule has ${words.length} fields. It has five: minute, hour, day, month, weekday.`)
  }
  const sets: number[][] = []
  for (const [index, field] of FIELDS.entries()) {
    const set = parseField(words[index] ?? '', field)
    if (!set.ok) return set
    sets.push(set.value)
  }
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = sets
  const isEitherDay = !isStarred(words[2]) && !isStarred(words[4])
  if (!isEitherDay && !months.some((month) => days.some((day) => day <= (LONGEST[month] ?? 0)))) {
    return err(`No month that it names has a day ${days.join(' or ')}: it would never run.`)
  }
  return ok({
    minutes,
    hours,
    days: bitsOf(days),
    months: bitsOf(months),
    weekdays: EVERY_AND_NTH.map((nth) =>
      bitsOf(weekdays.flatMap((day) => (nthOf(day) === nth ? [weekdayOf(day)] : []))),
    ),
    isEitherDay,
  })
}

const isAny = (word: string): boolean => word === '*' || word === '?'

const isStarred = (word = ''): boolean => /^[*?]/.test(word)

const bitsOf = (values: readonly number[]): number => values.reduce((bits, value) => bits | (1 << value), 0)

const parseField = (word: string, field: Field): Result<number[], string> => {
  const found = new Set<number>()
  for (const part of word.split(',')) {
    const range = parsePart(part, field)
    if (!range.ok) return range
    for (const value of range.value) found.add(value)
  }
  return ok([...found].toSorted((left, right) => left - right))
}

/** `*`, `5`, `mon`, `1-5`, and each of them with `/2`; of days, the last one and the nth weekday as well. */
const parsePart = (part: string, field: Field): Result<readonly number[], string> => {
  const wrong = (why: string) => err(`"${part.toUpperCase()}" is no ${field.name}: ${why}.`)
  const special = parseSpecial(part, field)
  if (special !== null) return typeof special === 'string' ? wrong(special) : ok(special)
  const [, range = '', step] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(part) ?? []
  if (range === '') return wrong('write *, a number, a range as 1-5, a list as 1,15 or a step as */10')
  const every = step === undefined ? 1 : Number(step)
  if (every === 0) return wrong('a step of 0 goes nowhere')
  const [, first = '', last] = /^([^-]+)(?:-([^-]+))?$/.exec(range) ?? []
  if (isAny(range)) return ok(steps(field.least, field.most === 7 ? 6 : field.most, every))
  const from = valueOf(first, field)
  const to = last === undefined ? (step === undefined ? from : field.most) : valueOf(last, field)
  if (from === null || to === null) return wrong(`it goes from ${field.least} to ${field.most}`)
  if (to < from) return wrong('the range runs backwards')
  return ok(steps(from, to, every))
}

/** Weekdays of some weeks of a month alone stand behind those of each: 8 and more for the first, 48 and more for the last. */
const LAST = 6
const EVERY_AND_NTH = [0, 1, 2, 3, 4, 5, LAST] as const
const nthOf = (weekday: number): number => Math.floor(weekday / 8)
const weekdayOf = (weekday: number): number => (weekday % 8) % 7

/** What Sentry takes of what goes beyond cron, and why the rest is not taken. Null for what is not of that kind. */
const parseSpecial = (part: string, field: Field): readonly number[] | string | null => {
  if (/^h(?:$|[(/])/.test(part)) {
    return 'H stands for a time that only its scheduler knows. Write the one at which the job runs'
  }
  if (field.name === 'day of the month') {
    if (part === 'l') return [0]
    if (part.startsWith('l-')) return 'days before the last one are not supported, as L alone is'
    return part.endsWith('w') ? 'W, the working day that is nearest, is not supported. Name days' : null
  }
  if (field.name !== 'weekday') return null
  const [, word = '', nth] = /^([^#]+)(?:#(.*)|l)$/.exec(part) ?? []
  const weekday = valueOf(word, field)
  if (weekday === null)
    return part === 'l' || word !== '' ? 'write 5L for the last Friday of a month, 5#2 for its second' : null
  if (nth === undefined) return [LAST * 8 + weekday]
  return /^[1-5]$/.test(nth) ? [Number(nth) * 8 + weekday] : 'behind # stands which one of a month it is, from 1 to 5'
}

const valueOf = (word: string, { least, most, names }: Field): number | null => {
  const named = names.indexOf(word)
  if (named >= 0) return named + least
  if (!/^\d{1,2}$/.test(word)) return null
  const value = Number(word)
  return value >= least && value <= most ? value : null
}

const steps = (from: number, to: number, every: number): number[] =>
  Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, index) => from + index * every)

const DAY_MINUTES = 1440
/** From one fifth Monday of a February to the next it may take forty years. */
const MOST_DAYS = 366 * 40

/** The first day from one on that is of a month that it names. */
const firstOfMonths = ({ months }: Cron, from: number): number => {
  const date = new Date(from * DAY_MINUTES * MINUTE_MS)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  for (let ahead = 0; ahead < MONTHS.length; ahead += 1) {
    if ((months & (1 << (((month + ahead) % MONTHS.length) + 1))) === 0) continue
    return ahead === 0 ? from : Date.UTC(year, month + ahead, 1) / (DAY_MINUTES * MINUTE_MS)
  }
  return from
}

/**
 * The first minute of a local calendar that it names, not before the given one; minutes since 1970 as the local clock has
 * them. Null when there is none in forty years.
 */
export const firstMinute = (cron: Cron, from: number): number | null => {
  const firstDay = Math.floor(from / DAY_MINUTES)
  const mostDays = firstDay + MOST_DAYS
  // What names a few months alone is looked for in them: of forty years that is little.
  for (let day = firstOfMonths(cron, firstDay); day < mostDays; day = firstOfMonths(cron, day + 1)) {
    if (isDay(cron, day)) {
      const minute = firstOfDay(cron, day === firstDay ? from - day * DAY_MINUTES : 0)
      if (minute !== null) return day * DAY_MINUTES + minute
    }
  }
  return null
}

/** @param day of a month that it names */
const isDay = ({ days, isEitherDay, weekdays }: Cron, day: number): boolean => {
  const date = new Date(day * DAY_MINUTES * MINUTE_MS)
  const isLast = new Date((day + 1) * DAY_MINUTES * MINUTE_MS).getUTCDate() === 1
  const isOfMonth = (days & ((1 << date.getUTCDate()) | (isLast ? 1 : 0))) !== 0
  const isOfWeek = (weekdaysOn(weekdays, day, date.getUTCDate()) & (1 << date.getUTCDay())) !== 0
  return isEitherDay ? isOfMonth || isOfWeek : isOfMonth && isOfWeek
}

/** Those of each week, and those of the week of a month that a day is of. */
const weekdaysOn = ([every = 0, ...nth]: readonly number[], day: number, ofMonth: number): number => {
  if (nth.every((bits) => bits === 0)) return every
  const aWeekLater = new Date((day + 7) * DAY_MINUTES * MINUTE_MS).getUTCDate()
  return every | (nth[Math.ceil(ofMonth / 7) - 1] ?? 0) | (aWeekLater < ofMonth ? (nth[LAST - 1] ?? 0) : 0)
}

const firstOfDay = ({ hours, minutes }: Cron, from: number): number | null => {
  const fromHour = Math.floor(from / 60)
  for (const hour of hours) {
    if (hour < fromHour) continue
    for (const minute of minutes) if (hour * 60 + minute >= from) return hour * 60 + minute
  }
  return null
}

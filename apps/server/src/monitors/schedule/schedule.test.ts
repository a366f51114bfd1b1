import { CronExpressionParser } from 'cron-parser'
import { Cron as Croner } from 'croner'
import { describe, expect, it } from 'vitest'
import { begin, goneUntil, timesAfter, type EnvironmentState } from '../environment-state.ts'
import { mergeConfig, scheduleOf, type MonitorConfig } from '../config.ts'
import { parseCron } from './cron.ts'
import { readSchedule } from './schedule.ts'
import { slotAfter } from './slots.ts'
import { zoneOf, type Zone } from '../../lib/zone.ts'

/** The same numbers at each run (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed
  return (most: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most
  }
}

const fieldOf = (random: (most: number) => number, least: number, most: number): string => {
  const value = (): number => least + random(most - least + 1)
  const [one, two] = [value(), value()].toSorted((left, right) => left - right) as [number, number]
  switch (random(8)) {
    case 0:
    case 1:
    case 2:
      return '*'
    case 3:
      return `*/${1 + random(Math.max(2, Math.floor((most - least) / 2)))}`
    case 4:
      return `${one}-${two}`
    case 5:
      return `${one}-${two}/${1 + random(4)}`
    case 6:
      return [...new Set([one, two, value()])].join(',')
    default:
      return String(one)
  }
}

/** Of steps over all days, where both are restricted, the oracles take either day and cron of Unix both: see below. */
const daysOf = (day: string, month: string, weekday: string): readonly string[] =>
  day === '*' || weekday === '*'
    ? [day, month, weekday]
    : [day.replace(/^\*/, '1-31'), month, weekday.replace(/^\*/, '0-6')]

const zone = (name: string): Zone => {
  const found = zoneOf(name)
  if (found === null) throw new Error(`no zone ${name}`)
  return found
}

describe('crontab lines', () => {
  it('A76: ten thousand random lines are due when croner and cron-parser say so', () => {
    const random = randomOf(76)
    const utc = zone('UTC')
    let compared = 0
    for (let line = 0; line < 10_000; line += 1) {
      const text = [
        fieldOf(random, 0, 59),
        fieldOf(random, 0, 23),
        // Days that every month has, so that the oracles never look for years.
        ...daysOf(fieldOf(random, 1, 28), fieldOf(random, 1, 12), fieldOf(random, 0, 6)),
      ].join(' ')
      const from = Date.UTC(2026, random(24), 1 + random(28), random(24), random(60), random(60))
      const cron = parseCron(text)
      if (!cron.ok) throw new Error(`${text}: ${cron.error}`)
      const own: (number | undefined)[] = []
      let at = from
      while (own.length < 3) {
        const slot = slotAfter(cron.value, utc, at)
        own.push(slot?.due)
        at = slot?.due ?? at
      }
      const parsed = CronExpressionParser.parse(text, { currentDate: new Date(from), tz: 'UTC' })
      expect([text, own]).toEqual([text, Array.from({ length: 3 }, () => parsed.next().getTime())])
      // Croner takes a thousandth of a second for each.
      if (line % 10 === 0) {
        const runs = new Croner(text, { timezone: 'UTC', paused: true }).nextRuns(3, new Date(from))
        expect([text, own]).toEqual([text, runs.map((run) => run.getTime())])
        compared += 1
      }
    }
    expect(compared).toBe(1000)
  }, 120_000)

  it('are due at the same local time in every zone, whatever its clock is ahead', () => {
    const random = randomOf(5)
    for (const name of [
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Auckland',
      'Asia/Kathmandu',
    ]) {
      for (let line = 0; line < 100; line += 1) {
        const text = `${random(60)} ${random(24)} * * ${fieldOf(random, 0, 6)}`
        const cron = parseCron(text)
        if (!cron.ok) throw new Error(cron.error)
        // In the middle of a summer and of a winter no clock changes.
        const from = Date.UTC(2026, line % 2 === 0 ? 0 : 6, 10 + random(10), random(24))
        const runs = CronExpressionParser.parse(text, { currentDate: new Date(from), tz: name })
        expect([name, text, slotAfter(cron.value, zone(name), from)?.due]).toEqual([name, text, runs.next().getTime()])
      }
    }
  })

  it('have nicknames', () => {
    for (const [nickname, line] of [
      ['@hourly', '0 * * * *'],
      ['@daily', '0 0 * * *'],
      ['@weekly', '0 0 * * 0'],
      ['@monthly', '0 0 1 * *'],
      ['@yearly', '0 0 1 1 *'],
      ['@annually', '0 0 1 1 *'],
    ] as const) {
      expect(parseCron(nickname)).toEqual(parseCron(line))
    }
    expect(parseCron('0 9 * jan-mar MON,fri')).toEqual(parseCron('0 9 * 1-3 1,5'))
    expect(parseCron('0 9 * * 7')).toEqual(parseCron('0 9 * * 0'))
  })

  it('take either day when both are restricted', () => {
    const cron = parseCron('0 0 13 * 5')
    if (!cron.ok) throw new Error(cron.error)
    const days: string[] = []
    let at = Date.UTC(2026, 10, 1)
    while (days.length < 5) {
      at = slotAfter(cron.value, zone('UTC'), at)?.due ?? at
      days.push(new Date(at).toISOString().slice(5, 10))
    }
    expect(days).toEqual(['11-06', '11-13', '11-20', '11-27', '12-04'])
  })

  it('A76: take both days where one begins with an asterisk, as cron of Unix does, and no oracle', () => {
    const days = (line: string): readonly string[] => {
      const cron = parseCron(line)
      if (!cron.ok) throw new Error(cron.error)
      const found: string[] = []
      let at = Date.UTC(2026, 10, 1)
      while (found.length < 3) {
        at = slotAfter(cron.value, zone('UTC'), at)?.due ?? at
        found.push(new Date(at).toISOString().slice(5, 10))
      }
      return found
    }
    // Mondays with odd numbers; of each month that has a 13th on every other weekday from Sunday on; either of both.
    expect(days('0 9 */2 * 1')).toEqual(['11-09', '11-23', '12-07'])
    expect(days('0 9 13 * */2')).toEqual(['12-13', '02-13', '03-13'])
    expect(days('0 9 1-31/2 * 1')).toEqual(['11-01', '11-02', '11-03'])
    expect(parseCron('0 0 31 2 */2')).toMatchObject({
      ok: false,
      error: expect.stringContaining('never run') as string,
    })
  })

  it('what names a day of few years is looked for in its month', () => {
    const cron = parseCron('0 0 29 2 */7')
    if (!cron.ok) throw new Error(cron.error)
    const due = slotAfter(cron.value, zone('UTC'), Date.UTC(2026, 10, 1))?.due ?? 0
    expect(new Date(due).toISOString()).toBe('2032-02-29T00:00:00.000Z')
  })

  it.each([
    ['0 15 */1 * * *', /six fields/],
    ['@reboot', /no time/],
    ['@sometimes', /no nickname/],
    ['0 0 31 2 *', /never run/],
    ['0 0 30,31 2 *', /never run/],
    ['0 0 31 4,6 *', /never run/],
    ['60 * * * *', /no minute.*0 to 59/],
    ['0 24 * * *', /no hour/],
    ['0 0 0 * *', /no day of the month/],
    ['*/0 * * * *', /goes nowhere/],
    ['30-10 * * * *', /backwards/],
    ['0 0 * * mon#6', /"MON#6" is no weekday: behind # stands .* from 1 to 5/],
    ['0 0 * * 1-5#2', /5#2 for its second/],
    ['0 0 * * L', /5L for the last Friday/],
    ['0 0 * * 9L', /5L for the last Friday/],
    ['0 0 15W * *', /"15W" is no day of the month: W, .* is not supported/],
    ['0 0 LW * *', /W, .* is not supported/],
    ['0 0 L-3 * *', /days before the last one are not supported/],
    ['H 2 * * *', /"H" is no minute: H stands for a time/],
    ['H/15 * * * *', /H stands for a time/],
    ['0 H(0-7) * * *', /no hour: H stands for a time/],
    ['0 0 * L *', /no month: it goes from 1 to 12/],
    ['* * * *', /4 fields/],
    ['', /fields/],
  ])('A77: %s is refused with a reason', (text, reason) => {
    const read = readSchedule({ kind: 'crontab', line: text, timezone: 'UTC' })
    expect(read.ok ? 'taken' : read.error).toMatch(reason)
  })

  it('A77: a zone that nobody knows is refused with a reason', () => {
    const read = readSchedule({ kind: 'crontab', line: '* * * * *', timezone: 'Mars/Olympus' })
    expect(read).toEqual({ ok: false, error: expect.stringContaining('"Mars/Olympus" is no time zone') })
  })

  it('a line without end is refused', () => {
    const read = readSchedule({ kind: 'crontab', line: `${'1,'.repeat(200)}1 * * * *`, timezone: 'UTC' })
    expect(read).toEqual({ ok: false, error: expect.stringContaining('200 characters') })
  })

  it.each([
    ['the last day of a month', '0 0 L * *', ['11-30', '12-31', '01-31', '02-28']],
    ['the last day beside others', '0 0 15,L 2 *', ['02-15', '02-28', '02-15', '02-29']],
    ['the last Friday of a month', '0 0 * * 5L', ['11-27', '12-25', '01-29', '02-26']],
    ['the second Monday of a month', '0 0 * * mon#2', ['11-09', '12-14', '01-11', '02-08']],
    ['a fifth Sunday, beside Saturdays', '0 0 * 11,12 0#5,6', ['11-07', '11-14', '11-21', '11-28', '11-29', '12-05']],
    // Sunday is the last weekday as well as the first.
    ['steps from a Sunday at the end', '0 0 * * 7/2', ['11-01', '11-08', '11-15']],
    ['steps from a Friday', '0 0 * * 5/2', ['11-01', '11-06', '11-08']],
  ])('take what Sentry takes: %s (%s)', (_, text, wanted) => {
    const cron = parseCron(text)
    if (!cron.ok) throw new Error(cron.error)
    const days: string[] = []
    let at = Date.UTC(2026, 10, 1) - 1
    while (days.length < wanted.length) {
      at = slotAfter(cron.value, zone('UTC'), at)?.due ?? at
      days.push(new Date(at).toISOString().slice(5, 10))
    }
    expect(days).toEqual(wanted)
  })

  it('take a fifth Monday of February, for which one may wait for forty years', () => {
    const cron = parseCron('0 0 * 2 mon#5')
    if (!cron.ok) throw new Error(cron.error)
    expect(slotAfter(cron.value, zone('UTC'), Date.UTC(2072, 2, 1))?.due).toBe(Date.UTC(2112, 1, 29))
  })

  it('take 29 February as a day that comes', () => {
    const cron = parseCron('0 0 29 2 *')
    if (!cron.ok) throw new Error(cron.error)
    expect(slotAfter(cron.value, zone('UTC'), Date.UTC(2097, 0, 1))?.due).toBe(Date.UTC(2104, 1, 29))
  })
})

const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Casablanca']

/** Schedules that have to do with the hours at which clocks change. */
const NIGHTLY = [
  '30 2 * * *',
  '0 2 * * *',
  '30 1 * * *',
  '0 1 * * *',
  '*/15 2 * * *',
  '*/15 1 * * *',
  '0,30 2 * * *',
  '*/30 * * * *',
  '0 * * * *',
  '5 * * * *',
  '0 0 * * *',
  '30 0 * * *',
  '0 3 * * *',
  '*/10 0-4 * * *',
  '45 1,2,3 * * *',
  '0 */2 * * *',
  '* * * * *',
]

const FRESH: EnvironmentState = {
  status: 'active',
  nextDueAt: null,
  nextDeadlineAt: null,
  missedDueAt: null,
  failuresInRow: 0,
  oksInRow: 0,
  silentPeriods: 0,
  incidentSince: null,
}

/** What a monitor misses of runs that came at these times. */
const missedOf = (config: MonitorConfig, runs: readonly number[], until: number): string[] => {
  const schedule = scheduleOf(config)
  if (!schedule.ok) throw new Error(schedule.error)
  const terms = { config, schedule: schedule.value, absences: [] }
  const missed: string[] = []
  let state = FRESH
  const decide = (at: number): void => {
    const decided = goneUntil(state, at, terms)
    state = decided.state
    missed.push(...decided.gone.map(({ dueAt }) => new Date(dueAt).toISOString()))
  }
  for (const at of runs) {
    decide(at - 1)
    state = begin(state, at, schedule.value, config).state
  }
  decide(until)
  return missed
}

const configOf = (sent: object): MonitorConfig => {
  const config = mergeConfig(null, sent)
  if (!config.ok) throw new Error(config.error)
  return config.value
}

describe('nights when clocks change', () => {
  const changesOf = (name: string): number[] => {
    const found: number[] = []
    let at = Date.UTC(2026, 0, 1)
    for (;;) {
      const change = zone(name).changeAfter(at)
      if (change === null || change.at >= Date.UTC(2028, 0, 1)) return found
      found.push(change.at)
      at = change.at + 1
    }
  }

  it('have changes in each zone', () => {
    expect(ZONES.slice(0, 4).map((name) => changesOf(name).length)).toEqual([4, 4, 4, 4])
    // Morocco changes its clock around Ramadan, as long as it does.
    expect(changesOf('Africa/Casablanca').length).toBeGreaterThan(0)
    expect(new Date(changesOf('America/New_York')[0] ?? 0).toISOString()).toBe('2026-03-08T07:00:00.000Z')
  })

  const habits: Readonly<Record<string, (text: string, name: string, from: number, until: number) => number[]>> = {
    'cron-parser': (text, name, from, until) => {
      const runs: number[] = []
      const parsed = CronExpressionParser.parse(text, { currentDate: new Date(from), tz: name })
      try {
        for (let at = parsed.next().getTime(); at < until; at = parsed.next().getTime()) runs.push(at)
      } catch (error) {
        // It gives up on some nights; what it said before counts.
        if (!/loop limit/.test(String(error))) throw error
      }
      return runs
    },
    croner: (text, name, from, until) => {
      const runs: number[] = []
      const job = new Croner(text, { timezone: name, paused: true })
      let at = job.nextRun(new Date(from))
      while (at !== null && at.getTime() < until) {
        runs.push(at.getTime())
        at = job.nextRun(at)
      }
      return runs
    },
  }

  it.each(Object.keys(habits))(
    'A75: nobody who runs by the habit of %s misses anything in 2026 and 2027',
    (habit) => {
      const day = 86_400_000
      for (const name of ZONES) {
        for (const change of changesOf(name)) {
          for (const line of NIGHTLY) {
            const [from, until] = [change - day, change + day]
            const runs = habits[habit]?.(line, name, from, until) ?? []
            const config = configOf({ schedule: line, timezone: name, checkin_margin: 2 })
            // The last run that came, and no more: what is due behind it is not missed yet.
            const last = runs.at(-1) ?? until
            expect([name, line, missedOf(config, runs, last)]).toEqual([name, line, []])
          }
        }
      }
    },
    120_000,
  )

  it('a run that does not come at all on such a night is missed all the same', () => {
    const config = configOf({ schedule: '30 2 * * *', timezone: 'America/New_York', checkin_margin: 5 })
    // 7 March at 02:30, and then nothing: on the 8th the hour is left out.
    const missed = missedOf(config, [Date.UTC(2026, 2, 7, 7, 30)], Date.UTC(2026, 2, 8, 12))
    expect(missed).toEqual(['2026-03-08T07:00:00.000Z'])
    const autumn = missedOf(
      { ...config, schedule: '30 1 * * *' },
      [Date.UTC(2026, 9, 31, 5, 30)],
      Date.UTC(2026, 10, 1, 12),
    )
    expect(autumn).toEqual(['2026-11-01T05:30:00.000Z'])
  })

  it('days of an interval keep their hour, hours are elapsed time', () => {
    const days = readSchedule({ kind: 'interval', value: 1, unit: 'day', timezone: 'Europe/Berlin' })
    const hours = readSchedule({ kind: 'interval', value: 24, unit: 'hour', timezone: 'Europe/Berlin' })
    const months = readSchedule({ kind: 'interval', value: 1, unit: 'month', timezone: 'UTC' })
    if (!days.ok || !hours.ok || !months.ok) throw new Error('no schedule')
    const nine = Date.UTC(2026, 9, 24, 7)
    expect(new Date(days.value.after(nine)?.due ?? 0).toISOString()).toBe('2026-10-25T08:00:00.000Z')
    expect(new Date(hours.value.after(nine)?.due ?? 0).toISOString()).toBe('2026-10-25T07:00:00.000Z')
    expect(new Date(months.value.after(Date.UTC(2027, 0, 31, 6))?.due ?? 0).toISOString()).toBe(
      '2027-02-28T06:00:00.000Z',
    )
  })
})

describe('runs and times', () => {
  const EVERY_HOUR = { schedule: '0 * * * *', checkin_margin: 5 }
  const AT = Date.UTC(2026, 10, 27, 10)

  it('A74: a check-in 20 seconds early counts for its slot', () => {
    const config = configOf(EVERY_HOUR)
    expect(missedOf(config, [AT, AT + 3_600_000 - 20_000], AT + 2 * 3_600_000 - 1)).toEqual([])
    // Of a job that runs each minute, the margin is not all of its time.
    const minutes = configOf({ schedule: '* * * * *', checkin_margin: 1 })
    const runs = [0, 1, 2, 3].map((minute) => AT + minute * 60_000 - 10_000)
    expect(missedOf(minutes, runs, AT + 4 * 60_000 - 20_000)).toEqual([])
  })

  it('one that came between two times is none of either', () => {
    const config = configOf(EVERY_HOUR)
    const missed = missedOf(config, [AT, AT + 30 * 60_000], AT + 3_600_000 + 5 * 60_000)
    expect(missed).toEqual(['2026-11-27T11:00:00.000Z'])
  })

  it('A71: after the margin, and no sooner, each time that is over is missed once, at its due time', () => {
    const config = configOf(EVERY_HOUR)
    const deadline = AT + 3_600_000 + 5 * 60_000
    expect(missedOf(config, [AT], deadline - 1)).toEqual([])
    expect(missedOf(config, [AT], deadline)).toEqual(['2026-11-27T11:00:00.000Z'])
    expect(missedOf(config, [AT], deadline + 3_600_000)).toEqual([
      '2026-11-27T11:00:00.000Z',
      '2026-11-27T12:00:00.000Z',
    ])
  })

  it('an interval goes on from the run that came last', () => {
    const config = configOf({ schedule: [10, 'minute'], checkin_margin: 1 })
    const schedule = scheduleOf(config)
    if (!schedule.ok) throw new Error(schedule.error)
    const { state } = begin(
      { ...FRESH, ...timesAfter(AT, schedule.value, config) },
      AT + 4 * 60_000,
      schedule.value,
      config,
    )
    expect(state.nextDueAt).toBe(AT + 14 * 60_000)
  })
})

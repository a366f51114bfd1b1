import type { Monitor, MonitorEnvironment } from '@firsthand/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { applyTimePreferences } from '../../../lib/moments.ts'
import { alertWords, dueWords, scheduleWords, standingOf, subtitleOf } from './words.ts'

const NOW = Date.UTC(2026, 10, 27, 14)

const environment = (more: Partial<MonitorEnvironment> = {}): MonitorEnvironment => ({
  name: 'production',
  status: 'ok',
  isMuted: false,
  dateCreated: new Date(NOW).toISOString(),
  lastCheckIn: new Date(NOW - 60_000).toISOString(),
  nextCheckIn: new Date(NOW + 48_000).toISOString(),
  nextCheckInLatest: new Date(NOW + 108_000).toISOString(),
  activeIncident: null,
  isLate: false,
  lateSince: null,
  runningSince: null,
  typicalDuration: null,
  isForgotten: false,
  ...more,
})

const monitor = (more: Partial<Monitor> = {}): Monitor => ({
  id: 'a',
  slug: 'job',
  name: 'job',
  status: 'active',
  isMuted: false,
  isUpserting: true,
  type: 'cron_job',
  config: {
    schedule_type: 'crontab',
    schedule: '30 2 * * *',
    checkin_margin: 3,
    max_runtime: 30,
    timezone: 'Europe/Vienna',
    failure_issue_threshold: 2,
    recovery_threshold: 1,
  },
  dateCreated: new Date(NOW).toISOString(),
  project: { id: '1', slug: 'shop-api', name: 'Shop', platform: 'node' },
  owner: null,
  environments: [],
  alertRule: null,
  configError: null,
  isFull: false,
  mutedUntil: null,
  muteWindows: [],
  isSilent: false,
  ...more,
})

describe('the words of monitors', () => {
  beforeEach(() => applyTimePreferences({ timezone: 'UTC', clock24Hours: true }))

  it('say a schedule as people do', () => {
    expect(scheduleWords([1, 'hour'])).toBe('every hour')
    expect(scheduleWords([15, 'minute'])).toBe('every 15 minutes')
    expect(scheduleWords('@daily')).toBe('once a day')
    expect(scheduleWords('30 2 * * *')).toBe('at 02:30')
    expect(scheduleWords('no line at all')).toBeNull()
    expect(subtitleOf(monitor())).toBe('shop-api · at 02:30 Europe/Vienna, 3 min margin')
  })

  it('name the zone of a schedule where it is not that of the reader', () => {
    applyTimePreferences({ timezone: 'Europe/Vienna', clock24Hours: true })
    const inUtc = { ...monitor().config, timezone: 'UTC' }
    const muteWindows = [{ from: '23:00', to: '05:00' }]
    expect(subtitleOf(monitor())).toBe('shop-api · at 02:30, 3 min margin')
    expect(subtitleOf(monitor({ config: inUtc }))).toBe('shop-api · at 02:30 UTC, 3 min margin')
    // At each quarter of an hour, all clocks show one.
    expect(subtitleOf(monitor({ config: { ...inUtc, schedule: '*/15 * * * *' } }))).not.toContain('UTC')
    expect(subtitleOf(monitor({ config: { ...inUtc, schedule: '@daily' } }))).toContain('once a day UTC')
    expect(alertWords(monitor({ muteWindows }), environment())).toBe('muted 23:00 to 05:00')
    expect(alertWords(monitor({ config: inUtc, muteWindows, isSilent: true }), environment())).toBe(
      'muted till 05:00 UTC',
    )
  })

  it('A70: late, missed, failing and running stand apart', () => {
    expect(standingOf(monitor(), environment({ isLate: true }))).toBe('late')
    expect(standingOf(monitor(), environment({ status: 'error', isLate: true }))).toBe('failing')
    expect(standingOf(monitor(), environment({ runningSince: new Date(NOW).toISOString() }))).toBe('running')
    expect(standingOf(monitor(), environment())).toBe('quiet')
    expect(standingOf(monitor({ status: 'disabled' }), environment())).toBe('off')
    expect(standingOf(monitor(), null)).toBe('waiting')
  })

  it('A80: what is muted needs nobody', () => {
    expect(standingOf(monitor({ isSilent: true }), environment({ status: 'error' }))).toBe('quiet')
    expect(standingOf(monitor(), environment({ status: 'error', isMuted: true }))).toBe('quiet')
  })

  it('say when it is due', () => {
    expect(dueWords(monitor(), environment(), NOW).text).toBe('in 48 s')
    expect(dueWords(monitor(), environment(), NOW + 47_300).text).toBe('now')
    const running = environment({ runningSince: new Date(NOW - 1_331_000).toISOString() })
    expect(dueWords(monitor(), running, NOW).text).toBe('running 22 m')
    const late = environment({ nextCheckIn: new Date(NOW - 120_000).toISOString(), isLate: true })
    expect(dueWords(monitor(), late, NOW)).toEqual({ text: '2 m late', isLate: false })
    expect(dueWords(monitor(), late, NOW + 120_000)).toEqual({ text: '4 m late', isLate: true })
    const missed = environment({ lateSince: new Date(NOW - 3_120_000).toISOString(), isLate: true })
    expect(dueWords(monitor(), missed, NOW)).toEqual({ text: '52 m late', isLate: true })
    // Given up: nothing is expected until it runs again.
    expect(dueWords(monitor(), { ...missed, nextCheckIn: null }, NOW).text).toBe('52 m late')
  })

  it('say what is told of it', () => {
    expect(alertWords(monitor(), environment())).toBe('tells after 2')
    expect(alertWords(monitor({ muteWindows: [{ from: '23:00', to: '05:00' }] }), environment())).toBe(
      'muted 23:00 to 05:00 Europe/Vienna',
    )
    expect(alertWords(monitor({ isMuted: true }), environment())).toBe('muted')
  })
})

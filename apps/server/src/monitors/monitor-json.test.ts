import { expect, it } from 'vitest'
import { configOf } from './ledger/records.ts'
import { checkInJson, monitorJson } from './monitor-json.ts'

const AT = Date.UTC(2026, 10, 27, 10)

const ROW = {
  id: 1,
  guid: '12af338f-77ce-4fd3-85c7-03cff5ba89f9',
  organization_id: 1,
  project_id: 7,
  slug: 'nightly',
  name: 'Nightly',
  config: JSON.stringify({
    schedule_type: 'crontab',
    schedule: '0 3 * * *',
    timezone: 'Europe/Berlin',
    checkin_margin: 5,
    max_runtime: 30,
    failure_issue_threshold: 1,
    recovery_threshold: 1,
  }),
  config_error: '',
  is_disabled: 0,
  is_muted: 0,
  muted_until: null,
  mute_windows: '[]',
  owner_user_id: null,
  owner_team_id: null,
  source: 'sdk',
  created_at: AT,
  deleted_at: null,
  project_slug: 'shop',
  project_name: 'Shop',
  project_platform: 'node',
} as const

const ENVIRONMENT = {
  id: 1,
  monitor_id: 1,
  organization_id: 1,
  project_id: 7,
  name: 'production',
  status: 'error',
  is_muted: 0,
  next_due_at: AT + 1000,
  next_deadline_at: AT + 301_000,
  missed_due_at: null,
  failures_in_row: 1,
  oks_in_row: 0,
  silent_periods: 0,
  incident_since: AT - 1000,
  has_issue: 1,
  incident_day: 0,
  incident_count: 0,
  last_run_at: AT - 1000,
  minute: 0,
  minute_count: 1,
  created_at: AT,
} as const

it('A81: a monitor has the keys and types of Sentry', () => {
  const json = monitorJson(ROW, [{ row: ENVIRONMENT, runningSince: null, typicalDuration: null, lateSince: null }], {
    owner: null,
    isFull: false,
    now: AT,
  })
  expect(json).toMatchObject({
    id: ROW.guid,
    slug: 'nightly',
    name: 'Nightly',
    status: 'active',
    isMuted: false,
    type: 'cron_job',
    config: { schedule_type: 'crontab', schedule: '0 3 * * *', timezone: 'Europe/Berlin', checkin_margin: 5 },
    dateCreated: '2026-11-27T10:00:00.000Z',
    project: { id: '7', slug: 'shop' },
    owner: null,
    alertRule: null,
    environments: [
      {
        name: 'production',
        status: 'error',
        isMuted: false,
        lastCheckIn: '2026-11-27T09:59:59.000Z',
        nextCheckIn: '2026-11-27T10:00:01.000Z',
        nextCheckInLatest: '2026-11-27T10:05:01.000Z',
        activeIncident: { startingTimestamp: '2026-11-27T09:59:59.000Z', resolvingTimestamp: null },
      },
    ],
  })
})

it('asks whether an environment is needed any more after ten periods that are a day at least', () => {
  const isForgotten = (silentPeriods: number, silentMs: number) => {
    const row = { ...ENVIRONMENT, silent_periods: silentPeriods, last_run_at: AT - silentMs }
    const shown = { row, runningSince: null, typicalDuration: null, lateSince: null }
    return monitorJson(ROW, [shown], { owner: null, isFull: false, now: AT }).environments[0]?.isForgotten
  }
  const day = 24 * 60 * 60_000
  expect(isForgotten(10, 10 * 60_000)).toBe(false)
  expect(isForgotten(1439, day - 1)).toBe(false)
  expect(isForgotten(1440, day)).toBe(true)
  expect(isForgotten(9, 9 * day)).toBe(false)
})

it('A81: a check-in has the keys and types of Sentry', () => {
  const run = {
    id: 1,
    environment_id: 1,
    check_in_id: 'a'.repeat(32),
    status: 'error',
    started_at: AT,
    ended_at: AT + 2000,
    duration_ms: 2000,
    due_at: AT,
    is_late: 0,
    timeout_at: null,
    exit_code: 3,
    release: '',
    trace_id: null,
    environment: 'production',
    has_log: 1,
  } as const
  expect(checkInJson(run, configOf(ROW.config))).toMatchObject({
    id: 'a'.repeat(32),
    environment: 'production',
    status: 'error',
    duration: 2000,
    dateCreated: '2026-11-27T10:00:00.000Z',
    dateAdded: '2026-11-27T10:00:00.000Z',
    dateUpdated: '2026-11-27T10:00:02.000Z',
    dateInProgress: '2026-11-27T10:00:00.000Z',
    dateClock: '2026-11-27T10:00:00.000Z',
    expectedTime: '2026-11-27T10:00:00.000Z',
    monitorConfig: { schedule: '0 3 * * *' },
    hasLog: true,
    reason: 'began Fri 11:00 Europe/Berlin, exit code 3, after 2 s',
    // Whoever knows where its reader is tells them the time there.
    reasonParts: ['began ', { time: '2026-11-27T10:00:00.000Z' }, ', exit code 3', ', after 2 s'],
  })
  const missed = { ...run, status: 'missed', duration_ms: null, exit_code: null }
  const config = { ...configOf(ROW.config), checkin_margin: 1 }
  expect(checkInJson(missed, config).reason).toBe('due Fri 11:00 Europe/Berlin, nothing came within 1 min')
})

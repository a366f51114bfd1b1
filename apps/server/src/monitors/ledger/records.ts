import type { Selectable } from 'kysely'
import { scheduleOf, type MonitorConfig } from '../config.ts'
import type { EnvironmentState } from '../environment-state.ts'
import type { Muting, MuteWindow } from '../mute.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { MonitorEnvironmentTable, MonitorTable } from './schema.ts'

type MonitorRow = Pick<Selectable<MonitorTable>, 'config' | 'is_muted' | 'muted_until' | 'mute_windows'>

/** What of a monitor its results are judged by. */
export interface Terms {
  readonly config: MonitorConfig
  readonly schedule: Schedule
  readonly muting: Muting
}

/** @throws when what is stored was never read: only what was is stored */
export const termsOf = (row: MonitorRow): Terms => {
  const config = configOf(row.config)
  const schedule = scheduleOf(config)
  if (!schedule.ok) throw new Error(`A stored schedule cannot be read: ${schedule.error}`)
  return {
    config,
    schedule: schedule.value,
    muting: {
      isMuted: row.is_muted === 1,
      mutedUntil: row.muted_until,
      muteWindows: JSON.parse(row.mute_windows) as MuteWindow[],
      timezone: config.timezone,
    },
  }
}

export const configOf = (text: string): MonitorConfig => JSON.parse(text) as MonitorConfig

export type EnvironmentRow = Selectable<MonitorEnvironmentTable>

export const stateOf = (row: EnvironmentRow): EnvironmentState => ({
  status: row.status,
  nextDueAt: row.next_due_at,
  nextDeadlineAt: row.next_deadline_at,
  missedDueAt: row.missed_due_at,
  failuresInRow: row.failures_in_row,
  oksInRow: row.oks_in_row,
  silentPeriods: row.silent_periods,
  incidentSince: row.incident_since,
})

export const columnsOf = (state: EnvironmentState) => ({
  status: state.status,
  next_due_at: state.nextDueAt,
  next_deadline_at: state.nextDeadlineAt,
  missed_due_at: state.missedDueAt,
  failures_in_row: state.failuresInRow,
  oks_in_row: state.oksInRow,
  silent_periods: state.silentPeriods,
  incident_since: state.incidentSince,
})

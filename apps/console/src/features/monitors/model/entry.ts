import type { Monitor, MonitorEnvironment } from '@firsthand/contract'

/** A monitor in one of its environments; null before its first check-in. */
export interface Entry {
  readonly key: string
  readonly monitor: Monitor
  readonly environment: MonitorEnvironment | null
}

export const entriesOf = (monitor: Monitor): Entry[] =>
  monitor.environments.length === 0
    ? [{ key: monitor.id, monitor, environment: null }]
    : monitor.environments.map((environment) => ({ key: `${monitor.id} ${environment.name}`, monitor, environment }))

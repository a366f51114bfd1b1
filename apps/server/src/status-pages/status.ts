/** How a component stands, from well to bad. */
export const COMPONENT_STATES = ['operational', 'maintenance', 'degraded', 'major', 'unknown'] as const
export type ComponentState = (typeof COMPONENT_STATES)[number]

/** What a component is told by. */
export interface Component {
  readonly name: string
  readonly source: 'monitor' | 'uptime'
  /** Id of the monitor or check. */
  readonly id: string
}

/** How many results of a day were well, and how many were not; what nobody knows is neither. */
export interface Day {
  readonly day: number
  readonly good: number
  readonly bad: number
}

export type BarState = 'good' | 'some' | 'bad' | 'unknown'

/** From this share of bad results on, a day was bad. */
const BAD_SHARE = 0.05

export const barOf = (day: Day | undefined): BarState => {
  if (day === undefined || day.good + day.bad === 0) return 'unknown'
  if (day.bad === 0) return 'good'
  return day.bad / (day.good + day.bad) >= BAD_SHARE ? 'bad' : 'some'
}

/** Of what is known, rounded down: 99.999 is not 100. Null where nothing is. */
export const uptimeOf = (days: readonly Day[]): number | null => {
  const good = days.reduce((sum, day) => sum + day.good, 0)
  const all = days.reduce((sum, day) => sum + day.good + day.bad, 0)
  return all === 0 ? null : Math.floor((good / all) * 100_000) / 1000
}

export interface StatusUpdate {
  readonly status: string
  readonly text: string
  readonly at: number
}

/** What people say went wrong, or work that is announced, without their updates. */
export interface Head {
  readonly id: number
  readonly kind: 'incident' | 'maintenance'
  readonly title: string
  readonly impact: 'none' | 'minor' | 'major' | 'critical'
  readonly status: string
  /** Names. */
  readonly components: readonly string[]
  readonly startsAt: number
  /** Of work that is announced; null for what ends when it ends. */
  readonly endsAt: number | null
  /** When the newest update was written. */
  readonly lastSaidAt: number
}

/** With its newest updates, the newest first. */
export interface Incident extends Head {
  readonly updates: readonly StatusUpdate[]
  /** How many there are, also those that are not here. */
  readonly updateCount: number
}

export type Phase = 'ahead' | 'now' | 'over'

/** Work that is announced begins and ends by itself. */
export const phaseOf = ({ endsAt, kind, startsAt, status }: Head, now: number): Phase => {
  if (status === 'resolved' || status === 'completed') return 'over'
  if (kind === 'incident') return 'now'
  if (now < startsAt) return 'ahead'
  return endsAt !== null && now >= endsAt ? 'over' : 'now'
}

import { HOUR_MS } from '../../lib/durations.ts'
import type { KeyContext } from '../../accounts/settings.ts'
import { LIMITS } from '../limits.ts'

/**
 * Holds back a project that suddenly sends many times more events than usual: a loop in a new release, or somebody who
 * found the DSN. An hour takes at most `SPIKE_FACTOR` times what an hour of the last week had on average, and never less
 * than `SPIKE_MINIMUM_EVENTS`. A project is watched for `SPIKE_LEARNING_HOURS` before anything is held back: until then
 * nobody knows what is usual for it. What was held back once does not become usual: such an hour is remembered with at most
 * twice what is usual in the hours without, so a flood that does not end lifts its own limit to the double in a week.
 */
export interface SpikeProtection {
  /**
   * Asks for one more event, and counts it when it is let in.
   *
   * @param now milliseconds since the epoch
   */
  take(key: KeyContext, now: number): SpikeVerdict
  /** What was counted, for the next start. */
  save(): SavedHours
  /** Grows whenever what is counted changes. */
  changes(): number
}

export type SpikeVerdict = { readonly granted: true } | { readonly granted: false; readonly retryAfterSeconds: number }

/** By project id, in hours since the epoch. */
export type SavedHours = Readonly<
  Record<
    string,
    {
      /** The first hour that was counted. */
      readonly first: number
      /** `[hour, events]` of the week. */
      readonly hours: readonly (readonly [number, number])[]
      /** Hours in which something was held back. */
      readonly held?: readonly number[]
    }
  >
>

interface Project {
  first: number
  readonly hours: Map<number, number>
  /** Hours in which something was held back. */
  readonly held: Set<number>
  hour: number
  count: number
  /** The last hour that something was sent in. */
  last: number
  /** Events that this hour may have. */
  limit: number
  /** What this hour counts at most in later ones, once something of it was held back. */
  heldCount: number
}

const WEEK_HOURS = 7 * 24
const GRANTED: SpikeVerdict = { granted: true }

export const createSpikeProtection = (saved: SavedHours = {}): SpikeProtection => {
  /** The one that has been quiet for longest comes first, but for what a start has read. */
  const projects = new Map<string, Project>()
  let changes = 0
  let lookedAt = -1
  const newProject = (first: number, hours: SavedHours[string]['hours'], held: readonly number[]): Project => ({
    first,
    hours: new Map(hours),
    held: new Set(held),
    hour: -1,
    count: 0,
    last: hours.reduce((latest, [hour]) => Math.max(latest, hour), -1),
    limit: 0,
    heldCount: Infinity,
  })
  for (const [id, { first, hours, held = [] }] of Object.entries(saved)) {
    projects.set(id, newProject(first, hours, held))
  }

  /** Forgets those without events in the week, also where a clock that was set back makes them lie in the future. */
  const forgetQuiet = (hour: number): void => {
    lookedAt = hour
    for (const [id, { last }] of projects) if (Math.abs(hour - last) > WEEK_HOURS) projects.delete(id)
  }

  const added = (hour: number): Project => {
    const [quietest] = projects.keys()
    if (quietest !== undefined && projects.size >= LIMITS.SPIKE_PROJECTS) projects.delete(quietest)
    return newProject(hour, [], [])
  }

  const begin = (project: Project, hour: number): void => {
    const isHeld = project.held.has(project.hour)
    project.hours.set(project.hour, isHeld ? Math.min(project.count, project.heldCount) : project.count)
    // A clock that was set back leaves hours in the future; they are as far away as old ones.
    for (const known of project.hours.keys()) {
      if (known < 0 || known > hour || hour - known > WEEK_HOURS) project.hours.delete(known)
    }
    for (const held of project.held) if (held !== hour && !project.hours.has(held)) project.held.delete(held)
    if (project.first > hour) project.first = hour
    project.count = project.hours.get(hour) ?? 0
    project.hours.delete(hour)
    project.hour = hour
    const known = hour - project.first
    const hours = Math.min(Math.max(1, known), WEEK_HOURS)
    let sum = 0
    let ofHeld = 0
    let heldHours = 0
    for (const [past, events] of project.hours) {
      sum += events
      if (!project.held.has(past)) continue
      ofHeld += events
      heldHours += 1
    }
    const usual = sum / hours
    const calm = hours > heldHours ? Math.min((sum - ofHeld) / (hours - heldHours), usual) : usual
    project.heldCount = Math.ceil(Math.max(2 * calm, LIMITS.SPIKE_MINIMUM_EVENTS / LIMITS.SPIKE_FACTOR))
    project.limit =
      known < LIMITS.SPIKE_LEARNING_HOURS
        ? Infinity
        : Math.max(LIMITS.SPIKE_MINIMUM_EVENTS, Math.ceil(usual * LIMITS.SPIKE_FACTOR))
  }

  return {
    take(key, now) {
      const hour = Math.floor(now / HOUR_MS)
      const id = String(key.projectId)
      if (lookedAt !== hour) forgetQuiet(hour)
      const project = projects.get(id) ?? added(hour)
      if (project.hour !== hour) {
        begin(project, hour)
        project.last = hour
        projects.delete(id)
        projects.set(id, project)
      }
      if (key.settings.spikeProtection && project.count >= project.limit) {
        project.held.add(hour)
        changes += 1
        const restMs = (hour + 1) * HOUR_MS - now
        const retryAfterSeconds = Math.min(Math.max(1, Math.ceil(restMs / 1000)), LIMITS.BYTE_QUOTA_RETRY_SECONDS)
        return { granted: false, retryAfterSeconds }
      }
      project.count += 1
      changes += 1
      return GRANTED
    },
    save: () =>
      Object.fromEntries(
        [...projects].map(([id, { first, hours, held, hour, count }]) => [
          id,
          { first, hours: [...hours, [hour, count] as const].filter(([known]) => known >= 0), held: [...held] },
        ]),
      ),
    changes: () => changes,
  }
}

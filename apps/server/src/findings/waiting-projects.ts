import type { Sender } from './left-out.ts'
import { LIMITS } from './limits.ts'
import { HOUR_MS } from './slowdown.ts'

/**
 * Projects of which transactions came, until the hour in which they came is over. Organisations have their turns one after
 * the other: whoever has many projects keeps nobody else's from being looked at.
 */
export const createWaitingProjects = () => {
  /** When it was heard of each project first, by organisation; the one that had its turn last is the last. */
  const waiting = new Map<number, Map<number, number>>()
  let size = 0

  /** Of the organisations, the first with a project that is due. */
  const firstDue = (now: number): Sender | null => {
    for (const [organizationId, projects] of waiting) {
      const [oldest] = projects
      if (oldest === undefined) continue
      const [projectId, heardAt] = oldest
      if (wholeHoursUntil(now) > heardAt || now < heardAt) return { organizationId, projectId }
    }
    return null
  }

  return {
    /** While too many wait, a project is heard of later: it sends again. */
    hear: ({ organizationId, projectId }: Sender, now: number): void => {
      const projects = waiting.get(organizationId) ?? new Map<number, number>()
      if (projects.has(projectId) || size >= LIMITS.SLOWDOWN_PROJECTS_WAITING) return
      waiting.set(organizationId, projects.set(projectId, now))
      size += 1
    },

    isDue: (now: number): boolean => firstDue(now) !== null,

    /** One that is due; null when there is none. */
    take: (now: number): Sender | null => {
      const due = firstDue(now)
      if (due === null) return null
      const { organizationId, projectId } = due
      const projects = waiting.get(organizationId)
      projects?.delete(projectId)
      waiting.delete(organizationId)
      if (projects !== undefined && projects.size > 0) waiting.set(organizationId, projects)
      size -= 1
      return due
    },
  }
}

/** The end of the last hour of which all that comes in time is there. */
export const wholeHoursUntil = (now: number): number =>
  Math.floor((now - LIMITS.SLOWDOWN_SETTLE_MS) / HOUR_MS) * HOUR_MS

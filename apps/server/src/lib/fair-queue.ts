import type { CallerContext } from './caller-context.ts'
import { StatementRefusal } from './statement-refusal.ts'

/** A queue in front of something that few can use at once, so that nobody keeps the others from it. */
export interface FairQueue {
  /**
   * Resolves when the caller may begin; call what it resolves to when the work has ended, whether or not somebody still
   * waits for it.
   *
   * @throws StatementRefusal `busy` when too much waits already, or it waited for too long
   */
  take(caller: CallerContext): Promise<() => void>
}

export interface FairQueueLimits {
  /** How many may run at once: of all, of one organisation, of one caller. */
  readonly running: number
  readonly perOrganization: number
  readonly perCaller: number
  /** How many may wait: of all, of one caller. */
  readonly waiting: number
  readonly waitingPerCaller: number
  readonly waitMs: number
}

interface Lane {
  readonly caller: CallerContext
  running: number
  /** First come, first served. */
  readonly waiting: (() => void)[]
}

/** Round robin over callers: who was served goes to the end of the queue, however much of theirs still waits. */
export const createFairQueue = (limits: FairQueueLimits): FairQueue => {
  /** Callers with something running or waiting; the one that was served longest ago comes first. */
  const lanes = new Map<string, Lane>()
  const organizations = new Map<number, number>()
  let running = 0
  let waiting = 0

  const mayRun = ({ caller, running: own }: Lane): boolean =>
    running < limits.running &&
    own < limits.perCaller &&
    (caller.organizationId === null || (organizations.get(caller.organizationId) ?? 0) < limits.perOrganization)

  const count = (lane: Lane, by: 1 | -1): void => {
    running += by
    lane.running += by
    const { organizationId } = lane.caller
    if (organizationId === null) return
    const now = (organizations.get(organizationId) ?? 0) + by
    if (now === 0) organizations.delete(organizationId)
    else organizations.set(organizationId, now)
  }

  const begin = (key: string, lane: Lane): (() => void) => {
    count(lane, 1)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      count(lane, -1)
      // To the end of the queue, behind all who came while it was served.
      lanes.delete(key)
      if (lane.running > 0 || lane.waiting.length > 0) lanes.set(key, lane)
      serve()
    }
  }

  const serve = (): void => {
    while (running < limits.running) {
      const next = [...lanes.values()].find((lane) => lane.waiting.length > 0 && mayRun(lane))
      if (next === undefined) return
      next.waiting.shift()?.()
    }
  }

  return {
    take: (caller) => {
      const key = `${caller.organizationId ?? ''}/${caller.caller}`
      const lane = lanes.get(key) ?? { caller, running: 0, waiting: [] }
      lanes.set(key, lane)
      if (lane.waiting.length === 0 && mayRun(lane)) return Promise.resolve(begin(key, lane))
      if (waiting >= limits.waiting || lane.waiting.length >= limits.waitingPerCaller) {
        if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(key)
        return Promise.reject(new StatementRefusal('busy'))
      }
      waiting += 1
      return new Promise((resolve, reject) => {
        const admit = (): void => {
          clearTimeout(timer)
          waiting -= 1
          resolve(begin(key, lane))
        }
        const timer = setTimeout(() => {
          waiting -= 1
          lane.waiting.splice(lane.waiting.indexOf(admit), 1)
          if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(key)
          reject(new StatementRefusal('busy'))
        }, limits.waitMs)
        lane.waiting.push(admit)
      })
    },
  }
}

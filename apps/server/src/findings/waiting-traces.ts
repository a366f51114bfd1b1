import type { Clock } from '../lib/clock.ts'
import { addSums, type SpanNews, type TraceNews } from '../traces/index.ts'
import { createLeftOut, type Sender } from './left-out.ts'
import { LIMITS } from './limits.ts'

/** What one project sent of a trace. */
interface TraceOfSender extends Sender {
  readonly traceId: string
}

/** A trace of which something came. */
export interface WaitingTrace extends TraceOfSender {
  readonly news: Omit<TraceNews, 'traceId'>
  /** Milliseconds since the epoch. */
  readonly firstAt: number
  readonly dueAt: number
}

/** The same for all that one project sent of a trace. */
export const keyOf = ({ projectId, traceId }: Pick<WaitingTrace, 'projectId' | 'traceId'>): string =>
  `${projectId} ${traceId}`

type OfProject = Map<string, WaitingTrace>

/** What waits of an organisation, by project: the one that had its turn last is the last. */
interface OfOrganization {
  traces: number
  readonly projects: Map<number, OfProject>
}

/**
 * Traces that wait until nothing more comes of them. Organisations have their turns one after the other, and so have the
 * projects of one. When there is no room, the organisation of which most wait gives way, and of it the project of which most
 * do: whoever sends much keeps nobody else's from being looked at, by however many projects.
 */
export const createWaitingTraces = (clock: Clock) => {
  /** The organisation that had its turn last is the last; of a project, so is the trace of which something came last. */
  const waiting = new Map<number, OfOrganization>()
  const leftOut = createLeftOut(clock)
  let size = 0

  const find = ({ organizationId, projectId, traceId }: TraceOfSender): WaitingTrace | undefined =>
    waiting.get(organizationId)?.projects.get(projectId)?.get(traceId)

  const remove = ({ organizationId, projectId, traceId }: TraceOfSender): void => {
    const own = waiting.get(organizationId)
    const traces = own?.projects.get(projectId)
    if (own === undefined || traces?.delete(traceId) !== true) return
    size -= 1
    own.traces -= 1
    if (traces.size === 0) own.projects.delete(projectId)
    if (own.traces === 0) waiting.delete(organizationId)
  }

  const giveWay = (): void => {
    const organization = mostOf(waiting.values(), ({ traces }) => traces)
    const project = mostOf(organization?.projects.values() ?? [], (traces) => traces.size)
    const [oldest] = project?.values() ?? []
    if (oldest === undefined) return
    remove(oldest)
    leftOut.add(oldest, 1)
  }

  const add = (entry: WaitingTrace): void => {
    remove(entry)
    const { organizationId, projectId, traceId } = entry
    const own: OfOrganization = waiting.get(organizationId) ?? { traces: 0, projects: new Map() }
    const traces: OfProject = own.projects.get(projectId) ?? new Map()
    own.projects.set(projectId, traces.set(traceId, entry))
    own.traces += 1
    waiting.set(organizationId, own)
    size += 1
    if (size > LIMITS.FINDING_TRACES_WAITING) giveWay()
  }

  return {
    add,

    hear: (sender: Sender, { traces, tracesLeftOut }: SpanNews): void => {
      const now = clock.now()
      leftOut.add(sender, tracesLeftOut)
      for (const { traceId, ...news } of traces) {
        const before = find({ ...sender, traceId })
        add({
          ...sender,
          traceId,
          news: before === undefined ? news : addSums(before.news, news),
          firstAt: before?.firstAt ?? now,
          dueAt: now + LIMITS.FINDING_SETTLE_MS,
        })
      }
    },

    leftOut: leftOut.all,
    leaveOut: leftOut.add,

    /** It was taken, but could not be looked at; what came of it meanwhile waits already and is enough. */
    putBack: (entry: WaitingTrace): void => {
      if (find(entry) === undefined) add(entry)
    },

    /** Those that waited long enough, one of each organisation in turn, of each project of it in turn, the oldest first. */
    due: (now: number): Iterable<WaitingTrace> =>
      inTurn([...waiting.values()].map(({ projects }) => inTurn([...projects.values()].map((own) => dueOf(own, now))))),

    /** False when something more came of it meanwhile: then it goes on waiting. */
    take: (entry: WaitingTrace): boolean => {
      if (find(entry) !== entry) return false
      const own = waiting.get(entry.organizationId)
      remove(entry)
      if (own !== undefined) moveToEnd(own.projects, entry.projectId)
      moveToEnd(waiting, entry.organizationId)
      return true
    },
  }
}

const mostOf = <Value>(values: Iterable<Value>, sizeOf: (value: Value) => number): Value | null => {
  let most: Value | null = null
  for (const value of values) if (most === null || sizeOf(value) > sizeOf(most)) most = value
  return most
}

const moveToEnd = <Value>(map: Map<number, Value>, key: number): void => {
  const value = map.get(key)
  if (value !== undefined && map.delete(key)) map.set(key, value)
}

/** One of each after the other, as long as they have any. */
const inTurn = function* <Value>(all: readonly Iterator<Value, undefined>[]): Generator<Value, undefined> {
  let turns = all
  while (turns.length > 0) {
    const others: (typeof turns)[number][] = []
    for (const turn of turns) {
      const next = turn.next()
      if (next.done === true) continue
      yield next.value
      others.push(turn)
    }
    turns = others
  }
}

const dueOf = function* (own: OfProject, now: number): Generator<WaitingTrace, undefined> {
  for (const entry of own.values()) if (entry.dueAt <= now) yield entry
}

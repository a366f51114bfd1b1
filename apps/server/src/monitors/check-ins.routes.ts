import {
  getCheckInLog,
  getMonitorTimelines,
  listCheckIns,
  listProjectCheckIns,
  previewSchedule,
  type TimelineCell,
} from '@firsthand/contract'
import { HOUR_MS } from '../lib/durations.ts'
import { bind, notFound, readMomentPage, toMomentPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import type { Ledger } from '../storage/index.ts'
import type { MonitorRow } from './ledger/monitor-rows.ts'
import type { Monitors } from './ledger/monitors.ts'
import { readConfigs } from './ledger/past-configs.ts'
import type { RunsView } from './ledger/runs-view.ts'
import { readTimeline, type TimelinePart } from './ledger/timeline.ts'
import { checkInJson } from './monitor-json.ts'
import type { MonitorLookup } from './monitor-lookup.ts'
import { readSchedule } from './schedule/schedule.ts'

/** Runs of monitors over HTTP, their time lines, and what a schedule means. */
export const createCheckInRoutes = ({
  clock,
  ledger,
  lookup: { found },
  monitors,
  runs,
}: {
  readonly ledger: Ledger
  readonly monitors: Pick<Monitors, 'find'>
  readonly runs: RunsView
  readonly lookup: Pick<MonitorLookup, 'found'>
  readonly clock: Clock
}): Route[] => {
  const listRuns = async (
    row: MonitorRow,
    query: {
      environment?: readonly string[] | undefined
      status?: string | undefined
      cursor?: string | undefined
      limit?: number | undefined
    },
  ) => {
    const page = readMomentPage(query)
    const environments = (await runs.environments([row.id])).filter(
      ({ name }) => query.environment === undefined || query.environment.includes(name),
    )
    const rows = await runs.runs(
      environments.map(({ id }) => id),
      { ...page, status: query.status ?? null },
    )
    const { page: links, rows: own } = toMomentPage(rows, page, ({ id, started_at: at }) => ({ at, id }))
    const configAt = await readConfigs(ledger, row)
    return { body: own.map((run) => checkInJson(run, configAt(run.started_at))), page: links }
  }

  return [
    bind(listCheckIns, async ({ params, query, request }) =>
      listRuns(await found(request.organization.id, params.monitor, query.project), query),
    ),
    bind(listProjectCheckIns, async ({ params, query, request }) =>
      listRuns(await found(request.organization.id, params.monitor, [params.project]), query),
    ),
    bind(getCheckInLog, async ({ params, query, request }) => {
      const row = await found(request.organization.id, params.monitor, query.project)
      const text = await runs.log(row.id, params.checkIn)
      if (text === null) throw notFound('It wrote nothing, or that is not kept any more.')
      return { body: { text } }
    }),
    bind(getMonitorTimelines, async ({ query, request }) => {
      const until = clock.now()
      const partMs = Math.ceil((query.hours * HOUR_MS) / query.parts)
      const from = until - partMs * query.parts
      const rows = await Promise.all(
        [...new Set(query.monitor)].map((monitor) => monitors.find(request.organization.id, monitor, null)),
      )
      const guids = new Map(rows.flatMap((row) => (row === null ? [] : [[row.id, row.guid] as const])))
      const environments = await runs.environments([...guids.keys()])
      const byEnvironment = Map.groupBy(
        await readTimeline(
          ledger,
          environments.map(({ id }) => id),
          { from, until, partMs },
        ),
        ({ environmentId }) => environmentId,
      )
      return {
        body: {
          start: toDate(from),
          end: toDate(until),
          parts: query.parts,
          lines: environments.map(({ id, monitor_id: monitorId, name }) => ({
            monitor: guids.get(monitorId) ?? '',
            environment: name,
            cells: cellsOf(byEnvironment.get(id) ?? []),
          })),
        },
      }
    }),
    bind(previewSchedule, ({ query }) => {
      const { schedule: text, timezone, unit } = query
      const schedule = readSchedule(
        unit === undefined
          ? { kind: 'crontab', line: text, timezone }
          : { kind: 'interval', value: readCount(text), unit, timezone },
      )
      if (!schedule.ok) return { body: { error: schedule.error, next: [] } }
      const next: string[] = []
      let at = clock.now()
      while (next.length < PREVIEWED) {
        const slot = schedule.value.after(at)
        if (slot === null) break
        next.push(toDate(slot.due))
        at = slot.due
      }
      return { body: { error: null, next } }
    }),
  ]
}

const PREVIEWED = 5

const readCount = (text: string): number => (/^\d{1,5}$/.test(text) && Number(text) > 0 ? Number(text) : 1)

const cellsOf = (parts: readonly TimelinePart[]): TimelineCell[] =>
  [...Map.groupBy(parts, ({ part }) => part)]
    .toSorted(([left], [right]) => left - right)
    .map(([at, own]) => {
      const sum = (pick: (part: TimelinePart) => boolean): number =>
        own.reduce((runs, part) => runs + (pick(part) ? part.runs : 0), 0)
      const longest = own.flatMap((part) => (part.longest === null ? [] : [part.longest]))
      return {
        at,
        runs: sum(() => true),
        ok: sum(({ isLate, status }) => status === 'ok' && !isLate),
        late: sum(({ isLate, status }) => status === 'ok' && isLate),
        error: sum(({ status }) => status === 'error'),
        missed: sum(({ status }) => status === 'missed'),
        timeout: sum(({ status }) => status === 'timeout'),
        unknown: sum(({ status }) => status === 'unknown'),
        running: sum(({ status }) => status === 'in_progress'),
        longest: longest.length === 0 ? null : Math.max(...longest),
      }
    })

import { countReplays, listReplays } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { replaysKey } from '../query-keys.ts'

/** Links are shown where there is something to play: SDKs name replays that they never send. */

const linksKey = (org: string) => [...replaysKey(org), 'links'] as const

/** As far back as anything is asked for. */
const PERIOD = '90d'
/** A trace, or an error, belongs to a visit that began earlier and went on. */
const AROUND_MS = 24 * 60 * 60_000

/** Whether anything of a replay came. @param at when it was named, milliseconds since the epoch */
export const replayThereQuery = (org: string, replay: string, at: number) =>
  queryOptions({
    queryKey: [...linksKey(org), 'there', replay],
    queryFn: async ({ signal }) => {
      const query = `replay_id:${replay}`
      const counts = await api.call(countReplays, { params: { org }, query: { query, ...dayAround(at) }, signal })
      return Object.keys(counts).length > 0
    },
  })

/** How many replays an issue has, up to `REPLAYS_COUNTED_MAX`. */
export const issueReplaysQuery = (org: string, issue: string, project: string) =>
  queryOptions({
    queryKey: [...linksKey(org), 'issue', issue],
    queryFn: async ({ signal }) => {
      const counts = await api.call(countReplays, {
        params: { org },
        query: { query: `issue.id:${issue}`, statsPeriod: PERIOD, project: [project] },
        signal,
      })
      return Number(counts[issue] ?? 0)
    },
  })

/** Two at most of the replays that a search finds: whether there is one, or more. */
const fewReplays = async (
  org: string,
  query: string,
  time:
    | { readonly statsPeriod: string; readonly project?: string[] }
    | { readonly start: string; readonly end: string },
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const { data } = await api.call(listReplays, {
    params: { org },
    query: { query, ...time, field: ['id'], per_page: 2 },
    signal,
  })
  return data.flatMap(({ id }) => id ?? [])
}

export const traceReplaysQuery = (org: string, trace: string, startMs: number) =>
  queryOptions({
    queryKey: [...linksKey(org), 'trace', trace],
    queryFn: ({ signal }) => fewReplays(org, `trace:${trace}`, dayAround(startMs), signal),
  })

export const dayAround = (at: number) => ({
  start: new Date(at - AROUND_MS).toISOString(),
  end: new Date(at + AROUND_MS).toISOString(),
})

export const visitorReplaysQuery = (org: string, project: string, query: string) =>
  queryOptions({
    queryKey: [...linksKey(org), 'visitor', project, query],
    queryFn: ({ signal }) => fewReplays(org, query, { statsPeriod: PERIOD, project: [project] }, signal),
  })

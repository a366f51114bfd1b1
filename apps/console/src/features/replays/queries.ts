import {
  getReplayJourney,
  getReplayPlayback,
  getReplayRequest,
  listReplayChunks,
  listReplayClicks,
  listReplays,
  noteReplayViewed,
  type Replay,
} from '@firsthand/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { askForRest, type ChunkList } from './player/source.ts'
import { playbackKey, replayListKey, replaysKey } from './query-keys.ts'

export const playbackQuery = (org: string, replay: string) =>
  queryOptions({
    queryKey: playbackKey(org, replay),
    queryFn: ({ signal }) => api.call(getReplayPlayback, { params: { org, replay }, signal }),
    // What plays is not exchanged under the reader's eyes.
    staleTime: Infinity,
    meta: { page: true },
  })

const chunksKey = (org: string, replay: string) => [...organizationKeys.all(org), 'replay', replay, 'chunks'] as const

/** What can be drawn of it by now. It is asked for with the page: nothing is drawn before it has come. */
export const chunksQuery = (org: string, replay: string) =>
  queryOptions({
    queryKey: chunksKey(org, replay),
    queryFn: ({ client, signal }) =>
      askForRest(client.getQueryData<ChunkList>(chunksKey(org, replay)), (after) =>
        api.call(listReplayChunks, { params: { org, replay }, query: { partly: true, after }, signal }),
      ),
    meta: { page: true },
  })

/** The same visitor in other tabs. What is asked once is enough: tabs that are opened later are on their own page. */
export const journeyQuery = (org: string, replay: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'replay', replay, 'journey'],
    queryFn: ({ signal }) => api.call(getReplayJourney, { params: { org, replay }, signal }),
    staleTime: Infinity,
  })

/** The first click of a replay that a search is about. */
export const firstClickQuery = (org: string, { id, project_id: project }: Replay, query: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'replay', id, 'click', query],
    queryFn: async ({ signal }) => {
      const asked = { params: { org, project, replay: id }, query: { query, per_page: 1 }, signal }
      const { data } = await api.call(listReplayClicks, asked)
      const [hit] = data
      return hit === undefined ? null : { at: Date.parse(hit.timestamp), nodeId: hit.node_id }
    },
    enabled: query !== '',
    staleTime: Infinity,
  })

/** Headers and bodies of a request, by its mark. What was recorded does not change. */
export const requestQuery = (org: string, replay: string, mark: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'replay', replay, 'request', mark],
    queryFn: ({ signal }) => api.call(getReplayRequest, { params: { org, replay, mark }, signal }),
    staleTime: Infinity,
    gcTime: REQUEST_KEPT_MS,
  })

/** Bodies may be large. */
const REQUEST_KEPT_MS = 60_000

/** So far back, and so many replays are counted. */
export const OTHERS_PERIOD = '14d'
export const OTHERS_MAX = 99

/** How many replays of a project a search finds, up to one more than `OTHERS_MAX`. */
export const clickedInVainQuery = (org: string, project: string, query: string) =>
  queryOptions({
    queryKey: [...replaysKey(org), 'in vain', project, query],
    queryFn: async ({ signal }) => {
      const asked = { query, project: [project], statsPeriod: OTHERS_PERIOD, field: ['id'], per_page: OTHERS_MAX + 1 }
      const { data } = await api.call(listReplays, { params: { org }, query: asked, signal })
      return data.length
    },
    staleTime: Infinity,
  })

/** Notes that the caller opened it: lists show what was not seen yet. */
export function useNoteViewed(org: string, { id, project_id: project }: Replay): void {
  const client = useQueryClient()
  useEffect(() => {
    api.call(noteReplayViewed, { params: { org, project, replay: id } }).then(
      () => client.invalidateQueries({ queryKey: replayListKey(org) }),
      // It is noted when it is opened the next time; there is nothing that the reader could do.
      () => undefined,
    )
  }, [client, org, project, id])
}

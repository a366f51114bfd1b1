import { getReplay, type ReplayPlayback } from '@firsthand/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { api } from '../../lib/api.ts'
import { playbackQuery } from './queries.ts'

/** Recorders send what they have every five seconds: who watches sees it within ten. */
const ASKED_EVERY_MS = 4000
/** Whether it is complete is asked so often. */
const ALL_EVERY_MS = 60_000

/** How much of a replay there is. It costs little to ask. */
const segmentsQuery = (org: string, replay: string) =>
  queryOptions({
    queryKey: [...playbackQuery(org, replay).queryKey, 'segments'],
    queryFn: async ({ signal }) =>
      (await api.call(getReplay, { params: { org, replay }, signal })).data.count_segments ?? 0,
    staleTime: 0,
  })

/**
 * Asks for what comes of a replay that may go on, while somebody looks at it: what there is to be played is read again
 * when a segment came, and now and then.
 */
export function useLive(org: string, playback: ReplayPlayback | undefined): void {
  const client = useQueryClient()
  const runs = playback !== undefined && !playback.complete && !playback.replay.is_archived
  const id = playback?.replay.id ?? ''
  const known = playback?.replay.count_segments ?? 0
  // While the page is hidden neither is asked: that is how queries are asked again.
  const { data: segments = known } = useQuery({
    ...segmentsQuery(org, id),
    enabled: runs,
    refetchInterval: ASKED_EVERY_MS,
  })
  useQuery({ ...playbackQuery(org, id), enabled: runs, refetchInterval: ALL_EVERY_MS })
  useEffect(() => {
    if (runs && segments > known)
      void client.invalidateQueries({ queryKey: playbackQuery(org, id).queryKey, exact: true })
  }, [client, org, id, runs, segments, known])
}

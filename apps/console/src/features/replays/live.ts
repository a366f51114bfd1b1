import type { ReplayPlayback } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { playbackQuery } from './queries.ts'

/** Whether a replay is complete is asked so often; the server tells what comes of it (`live` in the manifest). */
const ASKED_EVERY_MS = 60_000

/** Keeps what there is to be played of a replay that may go on up to date, while somebody looks at it. */
export function useLive(org: string, playback: ReplayPlayback | undefined): void {
  const runs = playback !== undefined && !playback.complete && !playback.replay.is_archived
  // While the page is hidden nothing is asked.
  useQuery({ ...playbackQuery(org, playback?.replay.id ?? ''), enabled: runs, refetchInterval: ASKED_EVERY_MS })
}

import { useQuery } from '@tanstack/react-query'

import { ButtonLink } from '../../../ui/index.ts'
import { dayAround, traceReplaysQuery } from './queries.ts'

/** From a trace to what its visitor saw meanwhile; nothing when that was not recorded. */
export function TraceReplays({
  org,
  trace,
  startMs,
}: {
  readonly org: string
  readonly trace: string
  readonly startMs: number
}) {
  const { data: [replay, other] = [] } = useQuery(traceReplaysQuery(org, trace, startMs))
  if (replay === undefined) return null
  if (other !== undefined) {
    return (
      <ButtonLink
        size="small"
        to="/organizations/$org/replays"
        params={{ org }}
        search={{ query: `trace:${trace}`, ...dayAround(startMs) }}
      >
        Replays
      </ButtonLink>
    )
  }
  return (
    <ButtonLink
      size="small"
      to="/organizations/$org/replays/$replay"
      params={{ org, replay }}
      search={{ event_t: new Date(startMs).toISOString() }}
    >
      Replay
    </ButtonLink>
  )
}

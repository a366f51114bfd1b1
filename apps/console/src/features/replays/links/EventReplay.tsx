import { useQuery } from '@tanstack/react-query'

import { ButtonLink } from '../../../ui/index.ts'
import { replayThereQuery } from './queries.ts'

/** From something that was reported to the moment of the replay at which it happened; nothing when the replay never came. */
export function EventReplay({
  org,
  replay,
  at,
}: {
  readonly org: string
  readonly replay: string
  /** Milliseconds since the epoch. */
  readonly at: number
}) {
  const { data: isThere = false } = useQuery(replayThereQuery(org, replay, at))
  if (!isThere) return null
  return (
    <ButtonLink
      variant="ghost"
      size="small"
      to="/organizations/$org/replays/$replay"
      params={{ org, replay }}
      search={{ event_t: new Date(at).toISOString() }}
    >
      Replay
    </ButtonLink>
  )
}

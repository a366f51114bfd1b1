import { ButtonLink, ReplayIcon } from '../../../ui/index.ts'
import { playTime } from '../model/time.ts'

const SECOND_MS = 1000

/** From a report to the second of the replay at which it was sent. */
export function ReportReplay({
  org,
  replay,
  offsetMs,
}: {
  readonly org: string
  readonly replay: string
  readonly offsetMs: number
}) {
  return (
    <ButtonLink
      size="small"
      icon={ReplayIcon}
      to="/organizations/$org/replays/$replay"
      params={{ org, replay }}
      search={{ t: Math.max(0, Math.floor(offsetMs / SECOND_MS)) }}
    >
      Play from {playTime(offsetMs)}
    </ButtonLink>
  )
}

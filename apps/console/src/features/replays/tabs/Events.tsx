import { useParams } from '@tanstack/react-router'

import { formatCount } from '../../../lib/format.ts'
import { Link } from '../../../ui/index.ts'
import type { Row } from '../model/rows.ts'
import type { Player } from '../player/engine.ts'
import { FollowList, type RowState } from './FollowList.tsx'
import { MomentLine } from './MomentLine.tsx'
import { OthersInVain } from './OthersInVain.tsx'
import type { TabPlace } from './TabHead.tsx'
import styles from './FollowList.module.css'

const ROW_HEIGHT = 28

/** Moments in words: all of them, or those of one kind. */
export function Events({
  player,
  rows,
  from,
  project,
  leftOut,
  place,
  nothing,
}: {
  readonly player: Player
  readonly rows: readonly Row[]
  readonly from: number
  /** Its id. */
  readonly project: string
  /** How many there are beside them. */
  readonly leftOut: number
  readonly place: TabPlace
  readonly nothing: string
}) {
  return (
    <FollowList
      player={player}
      items={rows}
      rowHeight={ROW_HEIGHT}
      from={from}
      place={place}
      nothing={nothing}
      tools={leftOut === 0 ? null : <span>{formatCount(leftOut)} more are not listed</span>}
    >
      {(row, state) => <Line row={row} from={from} project={project} state={state} />}
    </FollowList>
  )
}

function Line({
  row,
  from,
  project,
  state,
}: {
  readonly row: Row
  readonly from: number
  readonly project: string
  readonly state: RowState
}) {
  const { org } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { issue, vain } = row
  const isNow = state.when === 'now'
  return (
    <div className={styles.row}>
      <MomentLine row={row} from={from} state={state} />
      {issue === null ? null : (
        <Link
          className={styles.link}
          to="/organizations/$org/issues/$issue"
          params={{ org, issue: issue.id }}
          search={{ event: issue.event }}
        >
          {issue.label}
        </Link>
      )}
      {isNow && vain !== null ? <OthersInVain org={org} project={project} vain={vain} /> : null}
    </div>
  )
}

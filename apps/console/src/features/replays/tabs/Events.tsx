import { useParams } from '@tanstack/react-router'

import { formatCount } from '../../../lib/format.ts'
import { Link, VisibleText } from '../../../ui/index.ts'
import { SignGlyph } from '../components/glyphs.tsx'
import type { Row } from '../model/rows.ts'
import { playTime } from '../model/time.ts'
import type { Player } from '../player/engine.ts'
import { FollowList, type RowState } from './FollowList.tsx'
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
  const { aside, at, code, details, isCode, issue, selector, sign, text, tone, vain } = row
  const isNow = state.when === 'now'
  return (
    <div className={styles.row}>
      <button
        type="button"
        data-row=""
        className={styles.line}
        data-when={state.when}
        data-tone={tone}
        aria-current={isNow ? 'time' : undefined}
        tabIndex={state.tabIndex}
        onClick={state.go}
      >
        <span className={styles.at}>{playTime(at - from, 2)}</span>
        <SignGlyph sign={sign} className={styles[`sign-${sign}`]} />
        <span className={styles.text}>
          {code === '' ? null : <code>{code}</code>}{' '}
          {isCode ? (
            <code>
              <VisibleText text={text} />
            </code>
          ) : (
            <VisibleText text={text} />
          )}
        </span>
        <span className={styles.end}>{aside}</span>
        {isNow
          ? details.map((detail) => (
              <span key={detail} className={styles.detail}>
                <VisibleText text={detail} />
              </span>
            ))
          : null}
        {isNow && selector !== '' ? (
          <code className={styles.detail}>
            <VisibleText text={selector} />
          </code>
        ) : null}
      </button>
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

import type { ReplayPlayback } from '@firsthand/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { Button, type TabOption, Tabs, VisibleText } from '../../../ui/index.ts'
import { type Row, rowAt, type Rows } from '../model/rows.ts'
import { playTime } from '../model/time.ts'
import type { Player } from '../player/engine.ts'
import type { OpenedReplay } from '../player/use-replay.ts'
import { usePlayerValue } from '../player/use-player.ts'
import { SignGlyph } from './glyphs.tsx'
import { Dom } from './Dom.tsx'
import { Tags } from './Tags.tsx'
import styles from './EventList.module.css'

const ROW_HEIGHT = 28

type Tab = keyof Rows | 'tags' | 'dom'

/** What happened, beside the picture: it follows the time, and a press on a line goes there. */
export function EventList({
  playback,
  opened: { picture, player },
  rows,
}: {
  readonly playback: ReplayPlayback
  readonly opened: OpenedReplay
  readonly rows: Rows
}) {
  const [tab, setTab] = useState<Tab>('everything')
  const { tags } = playback.replay
  const all: readonly TabOption<Tab>[] = [
    { value: 'everything', label: 'Everything', count: rows.everything.length },
    { value: 'console', label: 'Console', count: rows.console.length },
    { value: 'network', label: 'Network', count: rows.network.length },
    { value: 'errors', label: 'Errors', count: rows.errors.length },
    ...(playback.hasPicture ? [{ value: 'dom', label: 'DOM' } as const] : []),
    { value: 'tags', label: 'Tags', count: Object.keys(tags).length },
  ]
  // One with nothing in it is no place to go to.
  const tabs = all.filter(({ value, count }) => value === 'everything' || count !== 0)
  return (
    <aside className={styles.aside} aria-label="What happened">
      <Tabs value={tab} onValueChange={setTab} tabs={tabs} aria-label="What happened">
        {tab === 'tags' ? (
          <Tags tags={tags} />
        ) : tab === 'dom' ? (
          <Dom player={player} picture={picture} />
        ) : (
          <List key={tab} player={player} rows={rows[tab]} from={playback.startedAt} leftOut={playback.marksLeftOut} />
        )}
      </Tabs>
    </aside>
  )
}

function List({
  player,
  rows,
  from,
  leftOut,
}: {
  readonly player: Player
  readonly rows: readonly Row[]
  readonly from: number
  readonly leftOut: number
}) {
  const box = useRef<HTMLDivElement>(null)
  const [follows, setFollows] = useState(true)
  const current = usePlayerValue(player, ({ at }) => rowAt(rows, at))
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => (rows[index] as Row).key,
    overscan: 12,
  })
  useEffect(() => {
    if (follows && current !== -1) virtual.scrollToIndex(current, { align: 'center' })
  }, [virtual, follows, current])
  const leave = (): void => setFollows(false)
  return (
    <>
      <div className={styles.head}>
        {follows ? (
          <span>Follows the time</span>
        ) : (
          <Button size="small" onClick={() => setFollows(true)}>
            Follow the time
          </Button>
        )}
        {leftOut === 0 ? null : <span>{formatCount(leftOut)} more are not listed</span>}
      </div>
      <div ref={box} className={styles.box} tabIndex={-1} onWheel={leave} onTouchMove={leave}>
        {rows.length === 0 ? <p className={styles.nothing}>Nothing was noted in this recording.</p> : null}
        <ol className={styles.list} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles.item}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Line
                row={rows[index] as Row}
                from={from}
                when={index === current ? 'now' : index < current ? 'past' : 'later'}
                onGo={() => {
                  setFollows(true)
                  player.seek((rows[index] as Row).at)
                }}
              />
            </li>
          ))}
        </ol>
      </div>
    </>
  )
}

function Line({
  row,
  from,
  when,
  onGo,
}: {
  readonly row: Row
  readonly from: number
  readonly when: 'past' | 'now' | 'later'
  readonly onGo: () => void
}) {
  const { aside, at, code, details, isCode, selector, sign, text, tone } = row
  return (
    <button
      type="button"
      className={styles.line}
      data-when={when}
      data-tone={tone}
      aria-current={when === 'now' ? 'time' : undefined}
      onClick={onGo}
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
      {when === 'now'
        ? details.map((detail) => (
            <span key={detail} className={styles.detail}>
              <VisibleText text={detail} />
            </span>
          ))
        : null}
      {when === 'now' && selector !== '' ? (
        <code className={styles.detail}>
          <VisibleText text={selector} />
        </code>
      ) : null}
    </button>
  )
}

import type { LogLine } from '@firsthand/contract'
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type Ref, type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'

import { formatCount, formatExact } from '../../../lib/format.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { Button, Spinner } from '../../../ui/index.ts'
import type { LogFeed } from '../log-feed.ts'
import { HELD_LINES, keyOf } from '../model/lines.ts'
import type { LogsSearch } from '../model/logs-search.ts'
import { dayOfLine } from '../model/moment.ts'
import { LogRow } from './LogRow.tsx'
import type { ChangeLogs } from './LogsScreen.tsx'
import styles from './LogList.module.css'

const ROW_HEIGHT = 24
/** Lines before the end at which older ones are asked for. */
const LOAD_AHEAD = 60
/** Nearer to the top, one looks at what comes. */
const TOP_PIXELS = 4

export interface LogListHandle {
  readonly current: () => LogLine | null
  readonly move: (step: number) => void
  readonly go: (index: number) => void
}

interface ListProps {
  readonly ref: Ref<LogListHandle>
  readonly org: string
  readonly search: LogsSearch
  readonly feed: LogFeed
  readonly onOpen: (line: string | undefined) => void
  readonly onChange: ChangeLogs
  readonly onTop: (isAtTop: boolean) => void
  /** Of a list that begins at an older line. */
  readonly onNewest: (() => void) | undefined
}

/** The lines, of which only those in sight are drawn. */
export function LogList({ ref, org, search, feed, onOpen, onChange, onTop, onNewest }: ListProps) {
  const { lines, waiting } = feed
  const box = useRef<HTMLDivElement>(null)
  const projects = useProjectNames(org)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => keyOf(lines[index] as LogLine),
    overscan: 20,
  })
  const { currentKey, setCurrent, currentIndex } = useCurrent(lines, search.line)
  const go = (index: number): void => {
    const line = lines[index]
    if (line === undefined) return
    setCurrent(keyOf(line))
    virtual.scrollToIndex(index, { align: 'auto' })
    // Its row may be drawn only after the scrolling.
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>('[data-current]')?.focus({ preventScroll: true }),
    )
  }
  useImperativeHandle(ref, () => ({
    current: () => lines[currentIndex] ?? null,
    move: (step) => go(Math.min(lines.length - 1, Math.max(0, currentIndex + step))),
    go,
  }))
  const items = virtual.getVirtualItems()
  useLoadAhead(feed, items.at(-1)?.index ?? -1)
  useStayWhenPrepended(box, lines)
  const open = items.find(({ index }) => lines[index]?.id === search.line)
  useOpenInSight(box, search.line, open)
  const withDay = hasOtherDays(lines)
  return (
    <>
      <Head withDay={withDay} />
      {waiting.length === 0 ? null : (
        <button
          type="button"
          className={styles.waiting}
          onClick={() => {
            box.current?.scrollTo({ top: 0 })
            if (search.line !== undefined) onOpen(undefined)
          }}
        >
          {formatCount(waiting.length)} {waiting.length === 1 ? 'line waits' : 'lines wait'}
        </button>
      )}
      <div
        ref={box}
        className={styles.box}
        tabIndex={-1}
        onScroll={(event) => onTop(event.currentTarget.scrollTop <= TOP_PIXELS)}
      >
        {onNewest === undefined || feed.newer === null ? null : (
          <div className={styles.newer}>
            <Button size="small" busy={feed.loads === 'newer'} onClick={feed.loadNewer}>
              Newer lines
            </Button>
          </div>
        )}
        <ol className={styles.space} style={{ height: virtual.getTotalSize() }} aria-label="Log lines">
          {items.map((item) => {
            const line = lines[item.index] as LogLine
            const key = keyOf(line)
            const isOpen = line.id === search.line
            return (
              <LogRow
                key={key}
                org={org}
                line={line}
                search={search}
                project={projects.get(line.projectId) ?? ''}
                withDay={withDay}
                isOpen={isOpen}
                isCurrent={key === currentKey || (currentKey === null && item.index === 0)}
                index={item.index}
                measure={isOpen ? virtual.measureElement : undefined}
                top={item.start}
                onToggle={() => {
                  setCurrent(key)
                  onOpen(isOpen ? undefined : line.id)
                }}
                onChange={onChange}
              />
            )
          })}
        </ol>
        <End feed={feed} isNarrowed={search.query !== ''} />
      </div>
    </>
  )
}

function Head({ withDay }: { readonly withDay: boolean }) {
  return (
    <div className={styles.head} data-day={withDay ? '' : undefined} aria-hidden="true">
      <span>Time</span>
      <span>Level</span>
      <span>Service</span>
      <span>Message and attributes</span>
      <span className={styles.trace}>Trace</span>
    </div>
  )
}

/** Which line the keyboard is at: the open one at first. */
function useCurrent(lines: readonly LogLine[], open: string | undefined) {
  const [chosen, setChosen] = useState<string | null>(null)
  const opened = open === undefined ? undefined : lines.find(({ id }) => id === open)
  const currentKey = chosen ?? (opened === undefined ? null : keyOf(opened))
  const currentIndex = currentKey === null ? -1 : lines.findIndex((line) => keyOf(line) === currentKey)
  return { currentKey, setCurrent: setChosen, currentIndex }
}

/** A line that is opened at the edge of the list moves up, so that its details are seen; again when they have come. */
function useOpenInSight(
  box: RefObject<HTMLDivElement | null>,
  id: string | undefined,
  open: VirtualItem | undefined,
): void {
  const size = open?.size ?? 0
  const start = useRef(0)
  // Who scrolls away from it and comes back is left alone.
  const shown = useRef<string | null>(null)
  useLayoutEffect(() => {
    start.current = open?.start ?? 0
    if (id === undefined) shown.current = null
  })
  useEffect(() => {
    const element = box.current
    if (element === null || id === undefined || size <= ROW_HEIGHT || shown.current === `${id} ${size}`) return
    shown.current = `${id} ${size}`
    const [top, bottom] = [start.current, start.current + size]
    const isAbove = top < element.scrollTop
    // What is taller than the list is read from its first line on.
    if (isAbove || bottom > element.scrollTop + element.clientHeight)
      element.scrollTo({ top: isAbove ? top : Math.min(top, bottom - element.clientHeight) })
  }, [box, id, size])
}

/** Older lines are asked for before the end is in sight. */
function useLoadAhead({ lines, loadOlder, loads, older, searchedTo }: LogFeed, last: number): void {
  const canLoad = older !== null && searchedTo === null && lines.length < HELD_LINES
  useEffect(() => {
    if (canLoad && loads === null && last >= lines.length - LOAD_AHEAD) loadOlder()
  })
}

/** Lines that are added above, away from the top, leave in their place what one reads. */
function useStayWhenPrepended(box: RefObject<HTMLDivElement | null>, lines: readonly LogLine[]): void {
  const before = useRef<readonly LogLine[]>(lines)
  useLayoutEffect(() => {
    const [first] = before.current
    before.current = lines
    const element = box.current
    if (first === undefined || element === null || element.scrollTop <= TOP_PIXELS) return
    const added = lines.findIndex((line) => keyOf(line) === keyOf(first))
    if (added > 0) element.scrollTo({ top: element.scrollTop + added * ROW_HEIGHT })
  }, [box, lines])
}

function hasOtherDays(lines: readonly LogLine[]): boolean {
  const oldest = lines.at(-1)
  return oldest !== undefined && dayOfLine(Date.parse(oldest.timestamp)) !== dayOfLine(Date.now())
}

/** What stands below the oldest line. */
function End({ feed, isNarrowed }: { readonly feed: LogFeed; readonly isNarrowed: boolean }) {
  const { lines, loads, older, searchedTo } = feed
  if (loads === 'older') {
    return (
      <div className={styles.end}>
        <Spinner label="Loading older lines" />
      </div>
    )
  }
  if (lines.length >= HELD_LINES) {
    return <p className={styles.end}>{formatCount(HELD_LINES)} lines are shown. Narrow the time to see older ones.</p>
  }
  if (older === null)
    return (
      <p className={styles.end}>
        {isNarrowed ? 'These are all matching lines of this time.' : 'These are all lines of this time.'}
      </p>
    )
  if (searchedTo === null) return null
  return (
    <div className={styles.end}>
      Looked back to {formatExact(Date.parse(searchedTo))}.{' '}
      <Button size="small" onClick={feed.loadOlder}>
        Look further back
      </Button>
    </div>
  )
}

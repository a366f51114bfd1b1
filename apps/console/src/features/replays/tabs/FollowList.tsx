import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

import { useMedia } from '../../../lib/use-media.ts'
import { Button } from '../../../ui/index.ts'
import { useRoom } from '../components/use-room.ts'
import { rowAt } from '../model/rows.ts'
import { playStretch } from '../model/time.ts'
import type { Player } from '../player/engine.ts'
import { usePlayerValue } from '../player/use-player.ts'
import { TabHead, type TabPlace } from './TabHead.tsx'
import styles from './FollowList.module.css'

/** Keys by which a reader scrolls. */
const SCROLLING: ReadonlySet<string> = new Set(['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown'])

export interface Moment {
  readonly key: string
  readonly at: number
}

/** Of one row, for who draws it. */
export interface RowState {
  readonly when: 'past' | 'now' | 'later'
  /** One row of the list is reached by the tab key; arrows lead on. */
  readonly tabIndex: 0 | -1
  readonly go: () => void
}

export interface FollowListProps<Item extends Moment> {
  readonly player: Player
  /** By time. */
  readonly items: readonly Item[]
  /** Pixels, until one is measured. */
  readonly rowHeight: number
  /** From when on moments are counted. */
  readonly from: number
  readonly place: TabPlace
  /** In the head, behind what it says of following. */
  readonly tools?: ReactNode
  /** Why there is none: a sentence. */
  readonly nothing: ReactNode
  /** Behind all rows, with the first and last one in sight. */
  readonly renderBehind?: (first: number, last: number) => ReactNode
  /** A button with `data-row`, and what else belongs to the row. */
  readonly children: (
    item: Item,
    state: RowState,
    sight: { readonly first: number; readonly last: number },
  ) => ReactNode
}

/**
 * Moments that follow the time of the player, as many as there are. Who scrolls by hand is left where they are until they
 * ask to follow again, or go to a row.
 */
export function FollowList<Item extends Moment>(props: FollowListProps<Item>) {
  const { player, items, from, place, tools, nothing, renderBehind, children } = props
  const box = useRef<HTMLDivElement>(null)
  const { choose, current, follow, follows, sight, tabbed, virtual } = useFollowing(box, props)
  const [top, bottom] = [items[sight.first], items[Math.min(sight.last, items.length - 1)]]
  const stretch = top === undefined || bottom === undefined ? '' : playStretch(top.at - from, bottom.at - from)
  return (
    <>
      <TabHead place={place} sight={stretch} end={tools}>
        {follows ? (
          <span>Follows the time</span>
        ) : (
          <Button size="small" onClick={follow}>
            Follow the time
          </Button>
        )}
      </TabHead>
      <div ref={box} className={styles.box} tabIndex={-1}>
        {items.length === 0 ? <div className={styles.nothing}>{nothing}</div> : null}
        {renderBehind?.(sight.first, Math.min(sight.last, items.length - 1))}
        <ol className={styles.list} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const item = items[index] as Item
            const state: RowState = {
              when: index === current ? 'now' : index < current ? 'past' : 'later',
              tabIndex: index === tabbed ? 0 : -1,
              go() {
                choose(item.key)
                player.seek(item.at)
              },
            }
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                data-when={state.when}
                className={styles.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                {children(item, state, sight)}
              </li>
            )
          })}
        </ol>
      </div>
    </>
  )
}

/** Up to this width the list stands below the player, as the style sheets have it: only its beginning is in sight. */
const BELOW = '(max-width: 1000px)'

/** Which rows are there, which is the current one, and whether the list follows it. */
function useFollowing<Item extends Moment>(
  box: RefObject<HTMLDivElement | null>,
  { items, player, rowHeight }: Pick<FollowListProps<Item>, 'items' | 'player' | 'rowHeight'>,
) {
  const [follows, setFollows] = useState(true)
  /** What was pressed last: of several rows of one moment it stays the current one. */
  const [chosen, setChosen] = useState<string | null>(null)
  const [focused, setFocused] = useState(-1)
  const wanted = useRef<number | null>(null)
  const current = usePlayerValue(player, ({ at }) => currentOf(items, at, chosen))
  const isBelow = useMedia(BELOW)
  const room = useRoom(box)
  const virtual = useVirtualizer({
    count: items.length,
    // Its last row, too, can stand at its beginning.
    paddingEnd: isBelow ? Math.max(0, room.height - rowHeight) : 0,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => (items[index] as Item).key,
    overscan: 12,
  })
  useEffect(() => {
    if (!follows || current === -1) return
    if (isBelow) virtual.scrollToIndex(Math.max(0, current - 1), { align: 'start' })
    else virtual.scrollToIndex(current, { align: 'center' })
  }, [virtual, follows, current, isBelow, room.height])
  useEffect(() => {
    // It may have to be drawn first.
    const row = box.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] [data-row]`)
    if (wanted.current === null || row === null || row === undefined) return
    wanted.current = null
    row.focus({ preventScroll: true })
  })
  useHand(box, {
    leave: () => setFollows(false),
    focus: setFocused,
    step(event) {
      const to = stepTo(event, items.length)
      if (to === null) return false
      wanted.current = to
      setFocused(to)
      virtual.scrollToIndex(to)
      return true
    },
  })
  const shown = virtual.getVirtualItems()
  const isThere = (index: number): boolean => shown.some((one) => one.index === index)
  return {
    follows,
    current,
    virtual,
    tabbed: [focused, current].find(isThere) ?? shown[0]?.index ?? -1,
    sight: { first: virtual.range?.startIndex ?? 0, last: virtual.range?.endIndex ?? 0 },
    follow: () => setFollows(true),
    choose(key: string) {
      setFollows(true)
      setChosen(key)
    },
  }
}

interface Hand {
  readonly leave: () => void
  /** A row has the focus. */
  readonly focus: (index: number) => void
  /** @returns whether the key led to another row */
  readonly step: (event: KeyboardEvent) => boolean
}

/** What a reader does in the list by wheel, finger, bar and keys. */
function useHand(box: RefObject<HTMLDivElement | null>, hand: Hand): void {
  const latest = useRef(hand)
  useEffect(() => {
    latest.current = hand
  })
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const over = new AbortController()
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      run: (event: HTMLElementEventMap[Name]) => void,
    ): void => element.addEventListener(name, run, { signal: over.signal })
    element.addEventListener('wheel', () => latest.current.leave(), { signal: over.signal, passive: true })
    element.addEventListener('touchmove', () => latest.current.leave(), { signal: over.signal, passive: true })
    on('pointerdown', ({ target }) => {
      // The bar at its side: a press on it is a press on the box itself.
      if (target === element) latest.current.leave()
    })
    on('focusin', ({ target }) => {
      const row = (target as HTMLElement).closest('[data-index]')
      if (row !== null) latest.current.focus(Number(row.getAttribute('data-index')))
    })
    on('keydown', (event) => {
      const isStep = latest.current.step(event)
      if (isStep) event.preventDefault()
      if (isStep || (event.target === element && SCROLLING.has(event.key))) latest.current.leave()
    })
    return () => over.abort()
  }, [box])
}

/** The row that a key leads to from the one that has the focus; null for other keys. */
function stepTo({ altKey, ctrlKey, key, metaKey, shiftKey, target }: KeyboardEvent, count: number): number | null {
  const row = (target as HTMLElement).closest('[data-row]')?.closest('[data-index]')
  if (row === null || row === undefined || altKey || ctrlKey || metaKey || shiftKey) return null
  const from = Number(row.getAttribute('data-index'))
  const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: count - 1 }[key]
  return to === undefined ? null : Math.min(count - 1, Math.max(0, to))
}

function currentOf(items: readonly Moment[], at: number, chosen: string | null): number {
  const last = rowAt(items, at)
  for (let index = last; index >= 0 && items[index]?.at === items[last]?.at; index -= 1)
    if (items[index]?.key === chosen) return index
  return last
}

import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'

import { cx } from '../../../lib/cx.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { PHONE, useMedia } from '../../../lib/use-media.ts'
import { rowAt, rowOf } from '../model/layout.ts'
import { panBy, ticksOf, zoomAround } from '../model/time-axis.ts'
import { gapsOf, ownTime, remembered } from '../model/work.ts'
import { paintBars } from '../paint/bars.ts'
import { useCanvas } from '../paint/canvas.ts'
import { treeKey } from '../trace-keys.ts'
import type { TraceView } from '../trace-view.ts'
import { Overview } from './Overview.tsx'
import { rowId, WaterfallRow } from './WaterfallRow.tsx'
import styles from './Waterfall.module.css'

/** Pixels of a row, and where its bar lies in it. */
const DESK = { row: 18, top: 4, thickness: 9, crosses: true } as const
const HAND = { row: 36, top: 23, thickness: 8, crosses: false } as const
/** Rows drawn above and below those in sight, so that most steps of the wheel need no work. */
const SPARE = 14
const TICK_PIXELS = 90
const WHEEL = 0.0025

interface Size {
  readonly width: number
  readonly height: number
}

/** The rows of a trace: names as text in a tree that is read as a table, bars on one canvas; only what is in sight exists. */
export function Waterfall({
  org,
  trace,
  view,
  onOpen,
}: {
  readonly org: string
  readonly trace: string
  readonly view: TraceView
  /** A row was pressed. */
  readonly onOpen: () => void
}) {
  const { closed, current, hits, layout, model, path, rows, zoom } = view
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = useMedia(PHONE)
  const metrics = isPhone ? HAND : DESK
  const size = useBarsSize(scroller, isPhone)
  const { first, last } = useWindow(scroller, rows.length, metrics.row, size.height)
  useFollow(scroller, view, metrics.row)
  useWheel(scroller, view, size.width, isPhone)
  usePress(scroller, view, metrics.row, onOpen)
  const measures = useMemo(
    () => ({
      ownTime: remembered((span) => ownTime(model, span)),
      gaps: remembered((span) => gapsOf(model, span)),
    }),
    [model],
  )
  const projects = useProjectNames(org)
  const services = useMemo(() => model.projects.map(({ id, slug }) => projects.get(id) ?? slug), [model, projects])
  const ticks = useMemo(() => ticksOf(zoom, size.width / TICK_PIXELS), [zoom, size.width])
  const canvas = useCanvas(
    (surface) =>
      paintBars(surface, {
        model,
        layout,
        rows,
        first,
        last,
        rowHeight: metrics.row,
        ...metrics,
        zoom,
        ticks,
        path,
        ...measures,
      }),
    { width: size.width, height: (last - first) * metrics.row },
  )
  const shared = useMemo(
    () => ({ model, layout, closed, hits, zoom, services, gaps: measures.gaps }),
    [model, layout, closed, hits, zoom, services, measures],
  )
  const shown: number[] = []
  for (let row = first; row < last; row += 1) shown.push(row)
  const row = rowOf(rows, current)
  const isShown = current !== -1 && row >= first && row < last

  return (
    <div className={styles.main}>
      <Overview org={org} trace={trace} view={view} services={services} width={size.width} ticks={ticks} />
      <div
        ref={scroller}
        role="treegrid"
        aria-label="Spans"
        aria-rowcount={rows.length}
        aria-activedescendant={isShown ? rowId(rows[row] as number) : undefined}
        tabIndex={0}
        className={cx(styles.scroller, isPhone && styles.hand)}
      >
        <div role="rowgroup" className={styles.content} style={{ height: rows.length * metrics.row }}>
          <canvas
            ref={canvas}
            aria-hidden="true"
            className={styles.bars}
            style={{ top: first * metrics.row, width: size.width, height: (last - first) * metrics.row }}
          />
          {shown.map((index) => (
            <WaterfallRow
              key={rows[index] as number}
              org={org}
              shared={shared}
              node={rows[index] as number}
              isSelected={rows[index] === current}
              rowIndex={index}
              rowHeight={metrics.row}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

/** The room for bars: what is right of the names, or all of it on a phone. */
function useBarsSize(scroller: RefObject<HTMLDivElement | null>, isPhone: boolean): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const measure = (): void => {
      // The bars begin where the names end, which is measured: how wide that column is depends on the window.
      const names = isPhone ? 0 : (element.querySelector('canvas')?.offsetLeft ?? 0)
      const sides = isPhone ? 24 : 16
      const next = { width: Math.max(0, element.clientWidth - names - sides), height: element.clientHeight }
      setSize((known) => (known.width === next.width && known.height === next.height ? known : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, isPhone])
  return size
}

interface Place {
  get(): number
  set(row: number): void
  subscribe(listener: () => void): () => void
}

/** The row at the top. What comes from a store is drawn before the frame ends; a state could be drawn a frame too late. */
function createPlace(): Place {
  let top = 0
  const listeners = new Set<() => void>()
  return {
    get: () => top,
    set(row) {
      top = row
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Which rows exist. It follows the scrolling in the frame in which it is drawn, together with the canvas, and only when
 * rows would come into sight that are not there.
 */
function useWindow(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  rowHeight: number,
  height: number,
): { readonly first: number; readonly last: number } {
  const [place] = useState(createPlace)
  const top = useSyncExternalStore(place.subscribe, place.get)
  const inSight = Math.ceil(height / rowHeight) + 1
  const first = Math.max(0, Math.min(top, count - inSight) - SPARE)
  const last = Math.min(count, first + inSight + 2 * SPARE)
  const bounds = useRef({ first, last })
  useEffect(() => {
    bounds.current = { first, last }
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    let frame = 0
    const follow = (): void => {
      frame = 0
      const row = Math.floor(element.scrollTop / rowHeight)
      const isThere = row >= bounds.current.first && row + inSight <= bounds.current.last
      if (!isThere || (bounds.current.first > 0 && row < bounds.current.first + 2)) place.set(row)
    }
    const onScroll = (): void => {
      if (frame === 0) frame = requestAnimationFrame(follow)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      element.removeEventListener('scroll', onScroll)
      cancelAnimationFrame(frame)
    }
  }, [scroller, rowHeight, inSight, place])
  return { first, last }
}

/** The selected row is scrolled into sight when the selection moves. */
function useFollow(scroller: RefObject<HTMLDivElement | null>, view: TraceView, rowHeight: number): void {
  const { current, rows } = view
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null || current === -1) return
    const y = rowOf(rows, current) * rowHeight
    const room = rowHeight * 2
    if (y < element.scrollTop + room) element.scrollTo({ top: y - room })
    else if (y + rowHeight > element.scrollTop + element.clientHeight - room)
      element.scrollTo({ top: y + rowHeight - element.clientHeight + room })
  }, [scroller, current, rows, rowHeight])
}

/** Ctrl and the wheel (or two fingers) bring closer what is under the pointer; sideways moves along. */
function useWheel(scroller: RefObject<HTMLDivElement | null>, view: TraceView, width: number, isPhone: boolean): void {
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null || width === 0) return undefined
    const onWheel = (event: WheelEvent): void => {
      const { zoom, whole, setZoom } = latest.current
      const sideways = event.shiftKey ? event.deltaY : event.deltaX
      if (event.ctrlKey || event.metaKey) {
        const left = element.getBoundingClientRect().right - width - (isPhone ? 12 : 16)
        const share = Math.min(1, Math.max(0, (event.clientX - left) / width))
        const at = zoom.from + (zoom.to - zoom.from) * share
        setZoom(zoomAround(zoom, whole, Math.exp(event.deltaY * WHEEL), at))
      } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        setZoom(panBy(zoom, whole, sideways / width))
      } else return
      event.preventDefault()
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [scroller, width, isPhone])
}

/**
 * A press selects a row, or opens and closes it at its arrow; a double one brings its time close. The keys of a tree act
 * here also for those who have switched single keys off.
 */
function usePress(
  scroller: RefObject<HTMLDivElement | null>,
  view: TraceView,
  rowHeight: number,
  onOpen: () => void,
): void {
  const latest = useRef({ view, onOpen })
  useEffect(() => {
    latest.current = { view, onOpen }
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const press = (event: MouseEvent): void => {
      const { closed, rows, select, setClosed } = latest.current.view
      const target = event.target as Element
      const y = event.clientY - element.getBoundingClientRect().top + element.scrollTop
      const row = rowAt(rows, rowHeight, y)
      if (row === -1 || target.closest('a') !== null) return
      const node = rows[row] as number
      if (target.closest('[data-twist]') !== null) setClosed(node, closed[node] === 0)
      else {
        select(node)
        latest.current.onOpen()
      }
    }
    const pressTwice = (event: MouseEvent): void => {
      if ((event.target as Element).closest('a, [data-twist]') === null) latest.current.view.fitCurrent()
    }
    const type = (event: KeyboardEvent): void => {
      const act = event.target === element ? treeKey(latest.current.view, event.key) : null
      if (act === null || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      act()
    }
    element.addEventListener('keydown', type)
    element.addEventListener('click', press)
    element.addEventListener('dblclick', pressTwice)
    return () => {
      element.removeEventListener('keydown', type)
      element.removeEventListener('click', press)
      element.removeEventListener('dblclick', pressTwice)
    }
  }, [scroller, rowHeight])
}

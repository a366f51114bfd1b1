import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { formatSpent } from '../../../lib/spent-time.ts'
import { useCanvas } from '../../../lib/use-canvas.ts'
import { VisuallyHidden } from '../../../ui/index.ts'
import { panBy, ticksOf, zoomAround } from '../../traces/model/index.ts'
import { flameKey } from '../flame-keys.ts'
import type { FlameView } from '../flame-view.ts'
import { boxAt } from '../model/call-tree.ts'
import { paintBoxes } from '../paint/boxes.ts'
import { readPalette } from '../paint/palette.ts'
import styles from './FlameGraph.module.css'

const ROW = 20
const TICK_PIXELS = 90
const WHEEL = 0.0025
/** A shorter way of the pointer is a press. */
const DRAG_PIXELS = 4

/** The boxes on a canvas, of which those in sight are drawn; what is selected is said in words as well. */
export function FlameGraph({ view, onOpen }: { readonly view: FlameView; readonly onOpen: () => void }) {
  const { tree, zoom } = view
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height, top } = useSight(scroller)
  const hovered = usePointer(scroller, view, { width, top, onOpen })
  const rows = tree.rows.length
  const tall = Math.min(rows * ROW, height)
  const canvas = useCanvas(
    (surface) =>
      paintBoxes(surface, {
        model: view.model,
        tree,
        zoom,
        top,
        rowHeight: ROW,
        selected: view.current,
        hovered: hovered < tree.count ? hovered : -1,
        isHit: view.hits.isHit,
      }),
    { width, height: tall },
    readPalette,
  )
  useFollow(scroller, view)
  useWheel(scroller, view, width)
  return (
    <div className={styles.graph}>
      <div className={styles.axis} aria-hidden="true">
        {ticksOf(zoom, width / TICK_PIXELS).map((tick) => {
          const share = (tick.at - zoom.from) / (zoom.to - zoom.from)
          return (
            <span
              key={tick.at}
              className={styles.tick}
              data-at={share < 0.03 ? 'start' : share > 0.97 ? 'end' : undefined}
              style={{ left: `${share * 100}%` }}
            >
              {tick.label}
            </span>
          )
        })}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application answers keys and pointer by itself */}
      <div
        ref={scroller}
        role="application"
        aria-roledescription="flame graph"
        aria-label={`${rows} levels of calls. Arrow keys go from frame to frame, Enter brings one close. The table below says the same.`}
        tabIndex={0}
        className={styles.scroller}
        style={{ height: rows * ROW }}
      >
        <div className={styles.content} style={{ height: rows * ROW }}>
          <canvas ref={canvas} aria-hidden="true" className={styles.canvas} style={{ width, height: tall }} />
        </div>
      </div>
      <Said view={view} box={hovered === -1 || hovered >= tree.count ? view.current : hovered} />
    </div>
  )
}

/** The frame under the pointer, or else the selected one, in a line of text. What is selected is read out. */
function Said({ view, box }: { readonly view: FlameView; readonly box: number }) {
  const { model, tree } = view
  const words = (one: number): string => {
    const frame = tree.frame[one] as number
    const took = (tree.to[one] as number) - (tree.from[one] as number)
    const share = model.ran === 0 ? 0 : Math.round((took / model.ran) * 1000) / 10
    return `${model.name[frame] ?? ''}, ${formatSpent(took / 1000)}, ${share}%, self ${formatSpent((tree.self[one] as number) / 1000)}`
  }
  return (
    <>
      <p className={styles.said} aria-hidden="true">
        {box === -1 ? 'Press a frame to see who called it and what it called.' : words(box)}
      </p>
      <VisuallyHidden>
        <span role="status">
          {view.current === -1 ? '' : `${words(view.current)}, level ${(tree.depth[view.current] as number) + 1}`}
        </span>
      </VisuallyHidden>
    </>
  )
}

interface Sight {
  readonly width: number
  readonly height: number
  readonly top: number
}

/** What is in sight of the graph. */
function useSight(scroller: RefObject<HTMLDivElement | null>): Sight {
  const [sight, setSight] = useState<Sight>({ width: 0, height: 0, top: 0 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const measure = (): void => {
      const next = { width: element.clientWidth, height: element.clientHeight, top: element.scrollTop }
      setSight((known) =>
        known.width === next.width && known.height === next.height && known.top === next.top ? known : next,
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller])
  return sight
}

/** The selected box is scrolled into sight when the selection moves. */
function useFollow(scroller: RefObject<HTMLDivElement | null>, view: FlameView): void {
  const { current, tree } = view
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null || current === -1) return
    const y = (tree.depth[current] as number) * ROW
    if (y < element.scrollTop) element.scrollTo({ top: y })
    else if (y + ROW > element.scrollTop + element.clientHeight)
      element.scrollTo({ top: y + ROW - element.clientHeight })
  }, [scroller, current, tree])
}

/** Ctrl and the wheel (or two fingers) bring closer what is under the pointer; sideways moves along. */
function useWheel(scroller: RefObject<HTMLDivElement | null>, view: FlameView, width: number): void {
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
        const share = (event.clientX - element.getBoundingClientRect().left) / width
        const at = zoom.from + (zoom.to - zoom.from) * Math.min(1, Math.max(0, share))
        setZoom(zoomAround(zoom, whole, Math.exp(event.deltaY * WHEEL), at))
      } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        setZoom(panBy(zoom, whole, sideways / width))
      } else return
      event.preventDefault()
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [scroller, width])
}

interface Pointed {
  readonly view: FlameView
  readonly width: number
  readonly top: number
  readonly onOpen: () => void
}

/**
 * A press selects a box, a double one brings it close; a mouse that is dragged moves along, fingers scroll as everywhere.
 * The arrow keys act here also for those who have switched single keys off.
 *
 * @returns the box under the pointer; -1 for none
 */
function usePointer(
  scroller: RefObject<HTMLDivElement | null>,
  view: FlameView,
  { width, top, onOpen }: Omit<Pointed, 'view'>,
): number {
  const [hovered, setHovered] = useState(-1)
  const latest = useRef<Pointed>({ view, width, top, onOpen })
  useEffect(() => {
    latest.current = { view, width, top, onOpen }
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const listening = new AbortController()
    const { signal } = listening
    const boxUnder = (event: MouseEvent): number => {
      const { view: shown, width: wide, top: scrolled } = latest.current
      const area = element.getBoundingClientRect()
      const { from, to } = shown.zoom
      const at = from + ((event.clientX - area.left) / Math.max(1, wide)) * (to - from)
      return boxAt(shown.tree, Math.floor((event.clientY - area.top + scrolled) / ROW), at)
    }
    const isDragged = followDrag(element, latest, signal)
    element.addEventListener('pointermove', (event) => setHovered(boxUnder(event)), { signal })
    element.addEventListener('pointerleave', () => setHovered(-1), { signal })
    const press = (event: MouseEvent): void => {
      if (isDragged()) return
      latest.current.view.select(boxUnder(event))
      latest.current.onOpen()
    }
    element.addEventListener('click', press, { signal })
    element.addEventListener('dblclick', (event) => latest.current.view.fitBox(boxUnder(event)), { signal })
    const type = (event: KeyboardEvent): void => {
      const act = flameKey(latest.current.view, event.key)
      if (act === null || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    element.addEventListener('keydown', type, { signal })
    return () => listening.abort()
  }, [scroller])
  return hovered
}

/** @returns whether the last press became a drag */
function followDrag(element: HTMLElement, latest: RefObject<Pointed>, signal: AbortSignal): () => boolean {
  let isDragged = false
  let last: number | null = null
  let way = 0
  const down = (event: PointerEvent): void => {
    isDragged = false
    way = 0
    last = event.pointerType === 'mouse' && event.button === 0 ? event.clientX : null
  }
  const move = (event: PointerEvent): void => {
    if (last === null) return
    const by = event.clientX - last
    last = event.clientX
    way += Math.abs(by)
    if (way < DRAG_PIXELS) return
    isDragged = true
    const { view, width } = latest.current
    view.setZoom(panBy(view.zoom, view.whole, -by / Math.max(1, width)))
  }
  element.addEventListener('pointerdown', down, { signal })
  addEventListener('pointermove', move, { signal })
  addEventListener('pointerup', () => (last = null), { signal })
  return () => isDragged
}

import type { RefObject } from 'react'

import { useShortcut } from '../../ui/index.ts'
import { NODE } from './model/layout.ts'
import { panBy, zoomAround } from './model/time-axis.ts'
import { extentOf, type TraceView } from './trace-view.ts'

const group = 'Trace'
const PAGE_ROWS = 20
const CLOSER = 0.6
const PAN = 0.2
/** They use these keys themselves while they have the focus. */
const CONTROLS = 'a, button, summary, input, [role=switch], [role=slider]'

/** What a key does to the rows as to those of any tree; null for other keys. */
export function treeKey(view: TraceView, key: string): (() => void) | null {
  const { closed, current, layout, move, select, setClosed } = view
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: PAGE_ROWS,
    PageUp: -PAGE_ROWS,
    Home: -layout.count,
    End: layout.count,
  }
  const step = steps[key]
  if (step !== undefined) return () => move(step)
  if (key === 'ArrowLeft') {
    return () => {
      if (current === -1) return
      if (closed[current] === 0 && (layout.size[current] as number) > 0) setClosed(current, true)
      else if (layout.parent[current] !== -1) select(layout.parent[current] as number)
    }
  }
  if (key !== 'ArrowRight') return null
  return () => {
    if (current === -1 || layout.size[current] === 0) return
    if (closed[current] === 1) setClosed(current, false)
    else select(current + 1)
  }
}

/** The keys of the waterfall; `?` lists them. */
export function useTraceKeys(
  view: TraceView,
  field: RefObject<HTMLInputElement | null>,
  openDetails: (open: boolean) => void,
): void {
  const { closed, current, layout, select, setClosed } = view
  const act = (key: string): void => treeKey(view, key)?.()
  useShortcut('j', () => act('ArrowDown'), { label: 'Next row', group })
  useShortcut('k', () => act('ArrowUp'), { label: 'Previous row', group })
  useShortcut('h', () => act('ArrowLeft'), { label: 'Close, or to the parent', group })
  useShortcut('l', () => act('ArrowRight'), { label: 'Open, or to the first child', group })
  useShortcut('ArrowDown', () => act('ArrowDown'), { label: 'Next row', group })
  useShortcut('ArrowUp', () => act('ArrowUp'), { label: 'Previous row', group })
  useShortcut('ArrowLeft', () => act('ArrowLeft'), { label: 'Close, or to the parent', group })
  useShortcut('ArrowRight', () => act('ArrowRight'), { label: 'Open, or to the first child', group })
  useShortcut('PageDown', () => act('PageDown'), { label: 'A page down', group })
  useShortcut('PageUp', () => act('PageUp'), { label: 'A page up', group })
  useShortcut('Home', () => act('Home'), { label: 'First row', group })
  useShortcut('End', () => act('End'), { label: 'Last row', group })
  useShortcut(
    'Enter',
    () => {
      if (layout.kind[current] === NODE.fold) setClosed(current, closed[current] === 0)
      else openDetails(true)
    },
    { label: 'Details', group, unlessOn: CONTROLS },
  )
  useShortcut(
    'Escape',
    () => {
      openDetails(false)
      select(-1)
    },
    { label: 'Clear the selection', group },
  )
  useZoomKeys(view)
  useShortcut('/', () => field.current?.focus(), { label: 'Search', group })
  useShortcut('n', () => view.toHit(1), { label: 'Next hit', group })
  useShortcut('p', () => view.toHit(-1), { label: 'Previous hit', group })
  useShortcut('e', view.toError, { label: 'Next error', group })
  useShortcut('c', () => view.setShowsPath(view.path === null), { label: 'Critical path', group })
}

function useZoomKeys(view: TraceView): void {
  const { current, layout, model, whole, zoom } = view
  const zoomBy = (factor: number): void => {
    const [from, to] = extentOf(model, layout, current)
    const middle = (from + to) / 2
    // Around the selected span, when it is in sight.
    const at = current !== -1 && middle > zoom.from && middle < zoom.to ? middle : (zoom.from + zoom.to) / 2
    view.setZoom(zoomAround(zoom, whole, factor, at))
  }
  useShortcut('+', () => zoomBy(CLOSER), { label: 'Closer', group })
  useShortcut('=', () => zoomBy(CLOSER), { label: 'Closer', group })
  useShortcut('-', () => zoomBy(1 / CLOSER), { label: 'Further away', group })
  useShortcut('w', () => zoomBy(CLOSER), { label: 'Closer', group })
  useShortcut('s', () => zoomBy(1 / CLOSER), { label: 'Further away', group })
  useShortcut('a', () => view.setZoom(panBy(zoom, whole, -PAN)), { label: 'Earlier', group })
  useShortcut('d', () => view.setZoom(panBy(zoom, whole, PAN)), { label: 'Later', group })
  useShortcut('0', () => view.setZoom(whole), { label: 'The whole trace', group })
  useShortcut('f', view.fitCurrent, { label: 'Fit the span, and back', group })
}

import type { RefObject } from 'react'

import { useShortcut } from '../../ui/index.ts'
import { panBy, zoomAround } from '../traces/model/index.ts'
import type { FlameView } from './flame-view.ts'

const group = 'Flame graph'
const CLOSER = 0.6
const PAN = 0.2
/** They use these keys themselves while they have the focus. */
const CONTROLS = 'a, button, summary, input, [role=switch], [role=radio], [role=combobox]'

/** What a key does in the graph, also for those who have switched single keys off; null for other keys. */
export function flameKey(view: FlameView, key: string): (() => void) | null {
  const ways = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } as const
  if (key in ways) return () => view.move(ways[key as keyof typeof ways])
  if (key === 'Enter') return () => view.fitBox(view.current)
  if (key === 'Escape') return () => view.select(-1)
  return key === 'Home' ? () => view.setZoom(view.whole) : null
}

/** The keys of a flame graph; `?` lists them. */
export function useFlameKeys(view: FlameView, field: RefObject<HTMLInputElement | null>): void {
  const act = (key: string): void => flameKey(view, key)?.()
  useShortcut('k', () => act('ArrowUp'), { label: 'Caller', group })
  useShortcut('j', () => act('ArrowDown'), { label: 'What it called', group })
  useShortcut('h', () => act('ArrowLeft'), { label: 'To the left', group })
  useShortcut('l', () => act('ArrowRight'), { label: 'To the right', group })
  useShortcut('ArrowUp', () => act('ArrowUp'), { label: 'Caller', group, unlessOn: CONTROLS })
  useShortcut('ArrowDown', () => act('ArrowDown'), { label: 'What it called', group, unlessOn: CONTROLS })
  useShortcut('ArrowLeft', () => act('ArrowLeft'), { label: 'To the left', group, unlessOn: CONTROLS })
  useShortcut('ArrowRight', () => act('ArrowRight'), { label: 'To the right', group, unlessOn: CONTROLS })
  useShortcut('Enter', () => act('Enter'), { label: 'Fit the frame, and back', group, unlessOn: CONTROLS })
  useShortcut('Escape', () => act('Escape'), { label: 'Clear the selection', group })
  useShortcut('f', () => act('Enter'), { label: 'Fit the frame, and back', group })
  useShortcut('0', () => act('Home'), { label: 'All of it', group })
  useShortcut('/', () => field.current?.focus(), { label: 'Search', group })
  useShortcut('n', () => view.toHit(1), { label: 'Next hit', group })
  useShortcut('p', () => view.toHit(-1), { label: 'Previous hit', group })
  useZoomKeys(view)
}

function useZoomKeys(view: FlameView): void {
  const { current, tree, whole, zoom } = view
  const zoomBy = (factor: number): void => {
    const middle = current === -1 ? NaN : ((tree.from[current] as number) + (tree.to[current] as number)) / 2
    // Around the selected frame, when it is in sight.
    const at = middle > zoom.from && middle < zoom.to ? middle : (zoom.from + zoom.to) / 2
    view.setZoom(zoomAround(zoom, whole, factor, at))
  }
  useShortcut('w', () => zoomBy(CLOSER), { label: 'Closer', group })
  useShortcut('+', () => zoomBy(CLOSER), { label: 'Closer', group })
  useShortcut('s', () => zoomBy(1 / CLOSER), { label: 'Further away', group })
  useShortcut('-', () => zoomBy(1 / CLOSER), { label: 'Further away', group })
  useShortcut('a', () => view.setZoom(panBy(zoom, whole, -PAN)), { label: 'To the left', group })
  useShortcut('d', () => view.setZoom(panBy(zoom, whole, PAN)), { label: 'To the right', group })
}

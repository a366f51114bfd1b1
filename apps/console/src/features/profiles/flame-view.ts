import { useMemo, useState } from 'react'

import { bringIntoSight, clampZoom, fit, type Zoom } from '../traces/model/index.ts'
import { type CallTree, heaviestFirst, inOrderOfTime, neighbour, type Order, widestOf } from './model/call-tree.ts'
import { findFunctions, type Hits, nextHit } from './model/find.ts'
import { type Functions, functionsOf } from './model/functions.ts'
import type { ProfileModel } from './model/profile.ts'

export interface FlameView {
  readonly model: ProfileModel
  readonly order: Order
  readonly showsWaiting: boolean
  readonly tree: CallTree
  /** Each place of the call tree once: what sums are taken of. */
  readonly summed: CallTree
  readonly functions: Functions
  readonly hits: Hits
  readonly query: string
  /** What is in sight of the axis. Microseconds. */
  readonly zoom: Zoom
  readonly whole: Zoom
  /** The selected box, and its function; -1 for none. */
  readonly current: number
  readonly frame: number
  setZoom(zoom: Zoom): void
  setQuery(query: string): void
  /** @param inSight also brings it into sight */
  select(box: number, inSight?: boolean): void
  /** The widest box of a function. */
  selectFrame(frame: number): void
  move(way: 'up' | 'down' | 'left' | 'right'): void
  /** To the next search hit (or the one before). */
  toHit(step: 1 | -1): void
  /** Brings a box close, and everything back when it is. */
  fitBox(box: number): void
}

export interface FlameOptions {
  readonly order: Order
  readonly showsWaiting: boolean
  readonly query: string
  readonly onQuery: (query: string) => void
}

const isSame = (one: Zoom, other: Zoom): boolean =>
  Math.abs(one.from - other.from) < 1 && Math.abs(one.to - other.to) < 1

/** The state of a flame graph. What it is of, and how it is laid out, is the address's. */
export function useFlameView(model: ProfileModel, { order, showsWaiting, query, onQuery }: FlameOptions): FlameView {
  const summed = useMemo(() => heaviestFirst(model), [model])
  const functions = useMemo(() => functionsOf(summed, model.frames), [model, summed])
  const tree = useMemo(
    () => (order === 'heavy' ? summed : inOrderOfTime(model, showsWaiting)),
    [model, order, showsWaiting, summed],
  )
  const whole = useMemo(() => ({ from: 0, to: Math.max(1, tree.length) }), [tree])
  const hits = useMemo(() => findFunctions(model, tree, query), [model, tree, query])
  const [shown, setShown] = useState({ tree, zoom: whole, current: -1 })
  // Another order has other boxes: the same function stays selected.
  const { zoom, current } =
    shown.tree === tree
      ? shown
      : { zoom: whole, current: shown.current === -1 ? -1 : widestOf(tree, shown.tree.frame[shown.current] as number) }
  const show = (next: { readonly zoom?: Zoom; readonly current?: number }): void =>
    setShown({ tree, zoom: next.zoom ?? zoom, current: next.current ?? current })
  const select = (box: number, inSight = false): void => {
    if (box === -1 || !inSight) show({ current: box })
    else
      show({
        current: box,
        zoom: bringIntoSight(zoom, whole, tree.from[box] as number, tree.to[box] as number),
      })
  }
  return {
    model,
    order,
    showsWaiting,
    tree,
    summed,
    functions,
    hits,
    query,
    zoom,
    whole,
    current,
    frame: current === -1 ? -1 : (tree.frame[current] as number),
    select,
    setQuery: onQuery,
    setZoom: (next) => show({ zoom: clampZoom(next, whole) }),
    selectFrame: (frame) => select(widestOf(tree, frame), true),
    move: (way) => select(neighbour(tree, current, way), true),
    toHit(step) {
      const box = nextHit(hits.boxes, current, step)
      if (box !== -1) select(box, true)
    },
    fitBox(box) {
      if (box === -1) return show({ zoom: whole })
      const close = fit(tree.from[box] as number, tree.to[box] as number, whole)
      return show({ current: box, zoom: isSame(zoom, close) ? whole : close })
    },
  }
}

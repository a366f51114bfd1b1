import { useEffect, useMemo, useRef, useState } from 'react'

import { type CriticalPath, criticalPath } from './model/critical-path.ts'
import { findNodes, hitFrom } from './model/find.ts'
import {
  carryClosed,
  initiallyClosed,
  layOut,
  type Layout,
  NODE,
  reveal,
  rowOf,
  toggled,
  visibleRows,
} from './model/layout.ts'
import { bringIntoSight, clampZoom, firstSight, fit, type Zoom } from './model/time-axis.ts'
import type { TraceModel } from './model/trace.ts'
import type { TraceSearch } from './model/trace-search.ts'

/** After so long without a change, the address says what is shown. */
const URL_AFTER_MS = 200
const MILLISECOND = 1000

interface Open {
  readonly layout: Layout
  readonly closed: Uint8Array
}

export interface TraceView {
  readonly model: TraceModel
  readonly layout: Layout
  readonly closed: Uint8Array
  /** The nodes that are shown, from top to bottom. */
  readonly rows: Int32Array
  /** The selected node; -1 for none. */
  readonly current: number
  readonly zoom: Zoom
  readonly whole: Zoom
  readonly query: string
  readonly hits: Int32Array
  readonly folds: boolean
  /** Null while it is not shown. */
  readonly path: CriticalPath | null
  setFolds(folds: boolean): void
  setShowsPath(shows: boolean): void
  setQuery(query: string): void
  setZoom(zoom: Zoom): void
  /** @param inSight also brings its time into sight */
  select(node: number, inSight?: boolean): void
  /** Goes so many rows down. */
  move(step: number): void
  setClosed(node: number, closed: boolean): void
  /** To the next search hit (or the one before). */
  toHit(step: 1 | -1): void
  toError(): void
  fitCurrent(): void
}

/** The state of the waterfall; what somebody else needs to see the same is written to the address. */
export function useTraceView(model: TraceModel, search: TraceSearch, write: (search: TraceSearch) => void): TraceView {
  const whole = useMemo(() => ({ from: model.from, to: model.to }), [model])
  const usual = useMemo(() => firstSight(model.spans, whole), [model, whole])
  const [open, setOpen] = useState<Open>(() => firstOpen(model, search))
  const [folds, setFoldsState] = useState(true)
  const [showsPath, setShowsPath] = useState(true)
  const [current, setCurrent] = useState(() => firstNode(model, open.layout, search))
  const [zoom, setZoom] = useState(() => zoomOf(search, whole, usual))
  const [query, setQuery] = useState(search.query ?? '')
  const { layout, closed } = open
  const [known, setKnown] = useState(model)
  if (known !== model) {
    // More of the trace came: what is closed, selected and in sight stays so.
    const next = layOut(model, folds)
    const placeOf = (span: number): number => (span === -1 ? -1 : model.indexOf(known.id[span] ?? ''))
    const span = placeOf(layout.span[current] ?? -1)
    const node = span === -1 ? -1 : (next.nodeOf[span] as number)
    setKnown(model)
    setOpen({ layout: next, closed: reveal(next, carryClosed(layout, closed, next, placeOf), node) })
    setCurrent(node)
    setZoom(isSame(zoom, firstSight(known.spans, known)) ? usual : clampZoom(zoom, whole))
  }
  const rows = useMemo(() => visibleRows(layout, closed), [layout, closed])
  const hits = useMemo(() => findNodes(model, layout, query), [model, layout, query])
  const path = useMemo(() => (showsPath ? criticalPath(model) : null), [model, showsPath])

  const select = (node: number, inSight = false): void => {
    setCurrent(node)
    const next = reveal(layout, closed, node)
    if (next !== closed) setOpen({ layout, closed: next })
    const span = layout.span[node] ?? -1
    if (inSight && span !== -1)
      setZoom(bringIntoSight(zoom, whole, model.start[span] as number, model.end[span] as number))
  }
  const selectSpan = (id: string): void => {
    const span = model.indexOf(id)
    if (span !== -1) select(layout.nodeOf[span] as number, true)
  }
  useAddress(
    search,
    { whole, usual },
    zoom,
    { span: spanIdOf(model, layout, current), query },
    { selectSpan, setZoom, write },
  )
  return {
    model,
    layout,
    closed,
    rows,
    current,
    zoom,
    whole,
    query,
    hits,
    folds,
    path,
    setShowsPath,
    setQuery,
    setZoom: (next) => setZoom(clampZoom(next, whole)),
    select,
    setFolds(next) {
      const other = layOut(model, next)
      setFoldsState(next)
      const span = layout.span[current] ?? -1
      const node = span === -1 ? -1 : (other.nodeOf[span] as number)
      setOpen({ layout: other, closed: reveal(other, carryClosed(layout, closed, other), node) })
      setCurrent(node)
    },
    move(step) {
      if (rows.length === 0) return
      const row = current === -1 ? (step > 0 ? -1 : rows.length) : rowOf(rows, current)
      select(rows[Math.min(rows.length - 1, Math.max(0, row + step))] as number)
    },
    setClosed(node, isClosed) {
      if (layout.size[node] === 0) return
      setOpen({ layout, closed: toggled(closed, node, isClosed) })
      // What is selected must not vanish.
      if (isClosed && current > node && current <= node + (layout.size[node] as number)) setCurrent(node)
    },
    toHit(step) {
      const node = hitFrom(hits, current, step)
      if (node !== -1) select(node, true)
    },
    toError() {
      const marked = [...model.errorsOf.keys()].map((span) => layout.nodeOf[span] as number)
      const node = hitFrom(Int32Array.from(marked).sort(), current, 1)
      if (node !== -1) select(node, true)
    },
    fitCurrent() {
      const [from, to] = extentOf(model, layout, current)
      setZoom(current === -1 || isSame(zoom, fit(from, to, whole)) ? whole : fit(from, to, whole))
    },
  }
}

function firstNode(model: TraceModel, layout: Layout, search: TraceSearch): number {
  const named = search.span === undefined ? -1 : model.indexOf(search.span)
  const event = model.errors.find((error) => error.eventId === search.event)
  const span = named === -1 ? (event?.span ?? -1) : named
  return span === -1 ? -1 : (layout.nodeOf[span] as number)
}

function firstOpen(model: TraceModel, search: TraceSearch): Open {
  const layout = layOut(model, true)
  return { layout, closed: reveal(layout, initiallyClosed(layout), firstNode(model, layout, search)) }
}

function zoomOf({ from, to }: TraceSearch, whole: Zoom, usual: Zoom): Zoom {
  if (from === undefined || to === undefined) return usual
  return clampZoom({ from: from * MILLISECOND, to: to * MILLISECOND }, whole)
}

const isSame = (a: Zoom, b: Zoom): boolean => Math.abs(a.from - b.from) < 1 && Math.abs(a.to - b.to) < 1

function spanIdOf(model: TraceModel, layout: Layout, node: number): string | undefined {
  return layout.kind[node] === NODE.span ? model.id[layout.span[node] as number] : undefined
}

/** From when to when a row is. */
export function extentOf(model: TraceModel, layout: Layout, node: number): readonly [number, number] {
  const fold = layout.folds.get(node)
  if (fold !== undefined) return [fold.from, fold.to]
  const span = layout.span[node] ?? -1
  return span === -1 ? [model.from, model.to] : [model.start[span] as number, model.end[span] as number]
}

/** Writes to the address what is shown, once it rests, and follows the address when somebody goes back. */
function useAddress(
  search: TraceSearch,
  { whole, usual }: { readonly whole: Zoom; readonly usual: Zoom },
  zoom: Zoom,
  shown: { readonly span: string | undefined; readonly query: string },
  act: {
    readonly selectSpan: (id: string) => void
    readonly setZoom: (zoom: Zoom) => void
    readonly write: (search: TraceSearch) => void
  },
): void {
  const round = (microseconds: number): number => Math.round(microseconds) / MILLISECOND
  const next: TraceSearch = {
    ...(shown.span !== undefined && { span: shown.span }),
    ...(!isSame(zoom, usual) && { from: round(zoom.from), to: round(zoom.to) }),
    ...(shown.query !== '' && { query: shown.query }),
    ...(shown.span === undefined && search.event !== undefined && { event: search.event }),
  }
  const wanted = JSON.stringify(next)
  const latest = useRef(act)
  const written = useRef(JSON.stringify(search))
  /** The span that the address names, and those that it was told to name since. */
  const standing = useRef(search.span)
  const underWay = useRef<(string | undefined)[]>([])
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (wanted === written.current) return undefined
    const timer = setTimeout(() => {
      written.current = wanted
      const address = JSON.parse(wanted) as TraceSearch
      if (address.span !== (underWay.current.at(-1) ?? standing.current)) underWay.current.push(address.span)
      latest.current.write(address)
    }, URL_AFTER_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  const { from, to, span } = search
  // Somebody else's address of the same trace, e.g. the palette's. One of our own may arrive when the next is under way.
  useEffect(() => {
    if (span === standing.current) return
    standing.current = span
    const own = underWay.current.indexOf(span)
    if (own !== -1) underWay.current.splice(0, own + 1)
    else if (span !== undefined) latest.current.selectSpan(span)
  }, [span])
  useEffect(() => {
    const told = JSON.parse(written.current) as TraceSearch
    if (told.from !== from || told.to !== to) {
      written.current = JSON.stringify({ ...told, from, to })
      const wantedZoom = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
      latest.current.setZoom(zoomOf(wantedZoom, whole, usual))
    }
  }, [from, to, whole, usual])
}

import { type PointerEvent, useMemo, useState } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { VisibleText } from '../../../ui/index.ts'
import { idleOf, mapScale } from '../model/map-scale.ts'
import { clampZoom, nearestMark, panBy, placeOfMark, type Tick, type Zoom, zoomAround } from '../model/time-axis.ts'
import { minimapLanes } from '../model/work.ts'
import { paintDiamond, paintTick } from '../paint/bars.ts'
import { type Surface, useCanvas } from '../paint/canvas.ts'
import { paintMinimap } from '../paint/minimap.ts'
import type { TraceView } from '../trace-view.ts'
import { ProfileLanes } from './ProfileLanes.tsx'
import styles from './Overview.module.css'

/** All lanes together, at most and at least each. */
const LANES_PIXELS = 66
const LANE_MAX = 15
const LANE_MIN = 4
/** Lanes below this height are too low for their names. */
const NAMED_FROM = 12
const MARKS_PIXELS = 15
/** A shorter drag is a press. */
const DRAG_PIXELS = 4
const REACH_PIXELS = 7

/** Above the rows: the whole trace in small, where one drags to come closer; the axis; errors, log lines, profiles. */
export function Overview({
  org,
  trace,
  view,
  services,
  width,
  ticks,
}: {
  readonly org: string
  readonly trace: string
  readonly view: TraceView
  /** What projects are called, by their number in the model. */
  readonly services: readonly string[]
  readonly width: number
  readonly ticks: readonly Tick[]
}) {
  const { model, zoom } = view
  const counts = useMemo(() => {
    const spans = model.projects.map(() => 0)
    for (const project of model.project) spans[project] = (spans[project] ?? 0) + 1
    return spans
  }, [model])
  const count = Math.max(1, model.projects.length)
  const laneHeight = Math.max(LANE_MIN, Math.min(LANE_MAX, Math.floor(LANES_PIXELS / count)))
  const isNamed = laneHeight >= NAMED_FROM
  return (
    <div className={styles.overview}>
      <div className={styles.names}>
        {isNamed ? (
          model.projects.map((project, index) => (
            <div key={project.id} className={styles.lane} style={{ height: laneHeight }}>
              <span className={styles.project}>
                <VisibleText text={services[index] ?? ''} />
              </span>
              <span className={styles.spans}>{formatCount(counts[index] ?? 0)} spans</span>
            </div>
          ))
        ) : (
          <div className={styles.lane}>{model.projects.length} projects</div>
        )}
      </div>
      <Minimap view={view} width={width} laneHeight={laneHeight} height={Math.max(20, count * laneHeight) + 2} />
      <div className={styles.names} />
      <div className={styles.axis} style={{ width }} aria-hidden="true">
        {ticks.map((tick) => {
          const share = (tick.at - zoom.from) / (zoom.to - zoom.from)
          // At the ends a label stands inside.
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
      {model.errors.length === 0 ? null : (
        <MarkLane view={view} width={width} title="Errors" marks={model.errors} paint={paintDiamond} />
      )}
      {model.logs.length === 0 ? null : (
        <MarkLane view={view} width={width} title="Logs" marks={model.logs} paint={paintTick} />
      )}
      <ProfileLanes org={org} trace={trace} view={view} services={services} width={width} />
    </div>
  )
}

const spoken = (microseconds: number): string => formatSpent(microseconds / 1000)

/** What an arrow key makes of the zoom; null for other keys. */
function keyed(key: string, zoom: Zoom, whole: Zoom): Zoom | null {
  const middle = (zoom.from + zoom.to) / 2
  if (key === 'ArrowLeft' || key === 'ArrowRight') return panBy(zoom, whole, key === 'ArrowLeft' ? -0.2 : 0.2)
  if (key === 'ArrowUp' || key === 'ArrowDown')
    return zoomAround(zoom, whole, key === 'ArrowUp' ? 0.6 : 1 / 0.6, middle)
  return key === 'Home' ? whole : null
}

/** What the map does not draw in its length; nothing to say when it draws all. */
function cutText(cuts: readonly Zoom[]): string | undefined {
  if (cuts.length === 0) return undefined
  return `Cut short, without spans: ${cuts.map(({ from, to }) => spoken(to - from)).join(', ')}`
}

interface Drag {
  readonly from: number
  readonly to: number
}

function Minimap({
  view,
  width,
  laneHeight,
  height,
}: {
  readonly view: TraceView
  readonly width: number
  readonly laneHeight: number
  readonly height: number
}) {
  const { model, whole } = view
  const [drag, setDrag] = useState<Drag | null>(null)
  const idle = useMemo(() => idleOf(model), [model])
  const columns = Math.max(1, Math.round(width))
  const scale = useMemo(() => mapScale(whole, idle, columns), [whole, idle, columns])
  const lanes = useMemo(() => minimapLanes(model, columns, scale.place), [model, columns, scale])
  const at = (x: number): number => scale.moment(x)
  const ordered = ({ from, to }: Drag) => ({ from: at(Math.min(from, to)), to: at(Math.max(from, to)) })
  const isDragging = drag !== null && Math.abs(drag.to - drag.from) >= DRAG_PIXELS
  const zoom = isDragging ? clampZoom(ordered(drag), whole) : view.zoom
  const canvas = useCanvas((surface) => paintMinimap(surface, { model, lanes, laneHeight, scale, zoom, whole }), {
    width,
    height,
  })
  const placeOf = (event: PointerEvent<HTMLElement>): number =>
    event.clientX - event.currentTarget.getBoundingClientRect().left
  const release = (event: PointerEvent<HTMLElement>): void => {
    if (drag === null) return
    const ended = { from: drag.from, to: placeOf(event) }
    setDrag(null)
    if (Math.abs(ended.to - ended.from) >= DRAG_PIXELS) view.setZoom(ordered(ended))
    else {
      // A press moves what is in sight to that place.
      const half = (view.zoom.to - view.zoom.from) / 2
      view.setZoom({ from: at(ended.from) - half, to: at(ended.from) + half })
    }
  }
  return (
    <div
      role="slider"
      aria-label="Part of the trace that is shown"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round((((zoom.from + zoom.to) / 2 - whole.from) / (whole.to - whole.from)) * 100)}
      aria-valuetext={`from ${spoken(zoom.from - whole.from)} to ${spoken(zoom.to - whole.from)} of ${spoken(whole.to - whole.from)}`}
      title={cutText(scale.cuts)}
      tabIndex={0}
      onKeyDown={(event) => {
        const next = keyed(event.key, view.zoom, whole)
        if (next === null) return
        event.preventDefault()
        view.setZoom(next)
      }}
      className={styles.minimap}
      style={{ width, height }}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: placeOf(event), to: placeOf(event) })
      }}
      onPointerMove={(event) => {
        if (drag !== null) setDrag({ from: drag.from, to: placeOf(event) })
      }}
      onPointerUp={release}
      onPointerCancel={() => setDrag(null)}
      onDoubleClick={() => view.setZoom(whole)}
    >
      <canvas ref={canvas} className={styles.canvas} style={{ width, height }} />
    </div>
  )
}

interface Mark {
  readonly at: number
  readonly span: number
  readonly level: string
}

/** Errors, or log lines, at their time; a press leads to their span. The pane lists them as links. */
function MarkLane({
  view,
  width,
  title,
  marks,
  paint,
}: {
  readonly view: TraceView
  readonly width: number
  readonly title: string
  readonly marks: readonly Mark[]
  readonly paint: (surface: Surface, x: number, y: number, level: string) => void
}) {
  const { layout, zoom, whole } = view
  const places = marks.map(({ at }) => placeOfMark(at, zoom, whole, width))
  const earlier = marks.filter(({ at }) => at < whole.from).length
  const canvas = useCanvas(
    (surface) => {
      marks.forEach(({ level }, index) => {
        const place = places[index] as number
        if (place > -6 && place < width + 6) paint(surface, place, MARKS_PIXELS / 2, level)
      })
    },
    { width, height: MARKS_PIXELS },
  )
  return (
    <>
      <div className={cx(styles.names, styles.ofLane)}>
        <div className={styles.lane} style={{ height: MARKS_PIXELS }}>
          <span>{title}</span>
          <span className={styles.spans}>
            {formatCount(marks.length)}
            {earlier === 0 ? null : ` · ${formatCount(earlier)} earlier`}
          </span>
        </div>
      </div>
      <canvas
        ref={canvas}
        aria-hidden="true"
        className={styles.errors}
        style={{ width, height: MARKS_PIXELS }}
        onClick={(event) => {
          const x = event.clientX - event.currentTarget.getBoundingClientRect().left
          const span = marks[nearestMark(places, x, REACH_PIXELS)]?.span ?? -1
          if (span !== -1) view.select(layout.nodeOf[span] as number)
        }}
      />
    </>
  )
}

import { type RefObject, useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatCompact } from '../lib/format.ts'
import { timeZone } from '../lib/moments.ts'
import { usePaintedTheme } from '../lib/theme.ts'
import type { Tone } from './Badge.tsx'
import { lonePoints } from './lone-points.ts'
import { markLabels } from './mark-labels.ts'
import { stack } from './stack.ts'
import { highestOf, roomOf, tickTexts } from './ticks.ts'
import { timeTexts } from './time-axis.ts'
import type { TimeSeriesLine, TimeSeriesProps } from './TimeSeries.tsx'
import styles from './TimeSeriesCanvas.module.css'

interface CanvasProps extends TimeSeriesProps {
  readonly height: number
  readonly cursor: number | null
  readonly onCursor: (index: number | null) => void
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

function colour({ tone, hue }: Pick<DrawnLine, 'tone' | 'hue'>): string {
  return token(hue ?? (tone === 'neutral' ? '--chart-bar' : `--${tone}`))
}

/** How thick a line is, in CSS pixels. */
const USUAL_WEIGHT = 1.5

const NO_MARKS: NonNullable<TimeSeriesProps['marks']> = []

/** The canvas of `TimeSeries`: uPlot, painted with the tokens. Loaded when a chart is first shown. */
export function TimeSeriesCanvas(props: CanvasProps) {
  const { times, series, form = 'bars', cursor } = props
  const drawn = useRef<UPlot.AlignedData>([[]])
  const { host, plot } = usePlot(drawn, props)

  useEffect(() => {
    const values = series.map((line) => line.values)
    const lines = form === 'bars' ? stack(values) : values.map((line) => [...line])
    drawn.current = [times.map((time) => time / 1000), ...lines.toReversed()]
    plot.current?.setData(drawn.current)
  }, [plot, times, series, form])

  useEffect(() => {
    const chart = plot.current
    if (chart === null || cursor === null || chart.cursor.idx === cursor) return
    const time = times[cursor]
    if (time !== undefined) chart.setCursor({ left: chart.valToPos(time / 1000, 'x'), top: 0 }, false)
  }, [plot, cursor, times])

  return <div ref={host} className={styles.canvas} aria-hidden="true" />
}

/** Builds the chart in its host, as wide as that is; anew when its look changes, with what was drawn last. */
function usePlot(
  drawn: RefObject<UPlot.AlignedData>,
  { series, form = 'bars', bucketMs, height, marks = NO_MARKS, formatValue = formatCompact, ...on }: CanvasProps,
): { readonly host: RefObject<HTMLDivElement | null>; readonly plot: RefObject<UPlot | null> } {
  const { onCursor, onRangeSelect, incompleteFromMs, endLabels = false, endsNow = false } = on
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot | null>(null)
  const theme = usePaintedTheme()
  const callbacks = useRef<Callbacks>({ onCursor, onRangeSelect, formatValue, marks, incompleteFromMs, endsNow })
  useEffect(() => {
    callbacks.current = { onCursor, onRangeSelect, formatValue, marks, incompleteFromMs, endsNow }
  })
  const selectable = onRangeSelect !== undefined
  // As a text, because the chart is built anew only when labels or looks really change.
  const shape = JSON.stringify(
    series.map(({ label, tone = 'neutral', hue, dash, weight }): DrawnLine => ({ label, tone, hue, dash, weight })),
  )

  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    // The colours are those of this theme.
    element.dataset.painted = theme
    const lines = JSON.parse(shape) as readonly DrawnLine[]
    const look = { lines, form, bucketMs, selectable, endLabels }
    const size = { width: Math.max(120, element.clientWidth), height }
    const chart = new UPlot({ ...size, ...optionsOf(look, () => callbacks.current) }, drawn.current, element)
    plot.current = chart
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) chart.setSize({ width: element.clientWidth, height })
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
      plot.current = null
    }
  }, [drawn, shape, theme, height, form, bucketMs, selectable, endLabels])

  // They come after the values, and are drawn over them.
  useEffect(() => {
    callbacks.current = { ...callbacks.current, marks }
    plot.current?.redraw(false)
  }, [marks])
  return { host, plot }
}

/** What may change without a new chart: it is asked for when it is needed. */
interface Callbacks {
  readonly onCursor: CanvasProps['onCursor']
  readonly onRangeSelect: CanvasProps['onRangeSelect']
  readonly formatValue: (value: number) => string
  readonly marks: NonNullable<CanvasProps['marks']>
  readonly incompleteFromMs: number | undefined
  readonly endsNow: boolean
}

interface DrawnLine {
  readonly label: string
  readonly tone: Tone
  readonly hue: string | undefined
  readonly dash: readonly number[] | undefined
  readonly weight: TimeSeriesLine['weight']
}

interface Look {
  /** From the bottom up. */
  readonly lines: readonly DrawnLine[]
  readonly form: 'bars' | 'lines'
  readonly bucketMs: number
  readonly selectable: boolean
  readonly endLabels: boolean
}

/** All that uPlot must know but the size, with the colours of the theme that is painted now. */
function optionsOf(
  { lines, form, bucketMs, selectable, endLabels }: Look,
  latest: () => Callbacks,
): Omit<UPlot.Options, 'width' | 'height'> {
  return {
    padding: [8, endLabels ? (chart) => endRoom(chart, lines) : 18, 0, 0],
    legend: { show: false },
    // Ticks stand at the reader's hours and midnights.
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), timeZone()),
    cursor: {
      y: false,
      points: { show: form === 'lines' },
      drag: { x: selectable, y: false, setScale: false },
    },
    scales: {
      x: { range: (_, min, max) => [min, max + (form === 'bars' ? bucketMs / 1000 : 0)] },
      // Shares stay below 1; of a count, that is the least that can be seen.
      y: { range: (_, __, max) => [0, form === 'lines' && max > 0 ? max * 1.06 : Math.max(1, max * 1.06)] },
    },
    axes: axesOf(form, latest),
    series: seriesOf(lines, form),
    hooks: {
      setCursor: [(self) => latest().onCursor(self.cursor.idx ?? null)],
      setSelect: [(self) => selectSpan(self, bucketMs, latest().onRangeSelect)],
      draw: [
        (self) => veil(self, latest().incompleteFromMs, form === 'lines' ? bucketMs : 0),
        (self) => drawMarks(self, latest().marks, bucketMs),
        (self) => (latest().endsNow ? drawNow(self) : undefined),
        ...(endLabels ? [(self: UPlot) => nameLines(self, lines)] : []),
      ],
    },
  }
}

/** Marks of the time axis, and from them to their texts, in CSS pixels. */
const TIME_TICK = 4
const TIME_GAP = 4

/** Between the texts of the value axis and the chart, in CSS pixels. */
const VALUE_GAP = 6

function axisRoom(ctx: CanvasRenderingContext2D, font: string, texts: readonly string[] | null): number {
  ctx.save()
  ctx.font = font
  const room = roomOf(texts ?? [], (text) => ctx.measureText(text).width, VALUE_GAP)
  ctx.restore()
  return room
}

function axesOf(form: Look['form'], latest: () => Callbacks): UPlot.Axis[] {
  const font = `11px ${token('--font')}`
  return [
    {
      stroke: token('--ink-2'),
      font,
      size: 24,
      gap: TIME_GAP,
      grid: { show: false },
      ticks: { stroke: token('--line-strong'), width: 1, size: TIME_TICK },
      values: ({ scales, bbox }, splits) =>
        timeTexts(splits, {
          min: scales['x']?.min ?? 0,
          max: scales['x']?.max ?? 0,
          width: bbox.width / devicePixelRatio,
          endsNow: latest().endsNow,
        }),
    },
    {
      stroke: token('--ink-2'),
      font,
      size: ({ ctx }, texts) => axisRoom(ctx, font, texts),
      gap: VALUE_GAP,
      // A low chart has a scale, too.
      space: (_chart, _axis, _min, _max, tall) => Math.min(36, tall / 2.2),
      grid: { stroke: token('--line'), width: 1 },
      ticks: { show: false },
      values: (chart, splits) =>
        tickTexts(splits, highestOf(chart.data.slice(1)), latest().formatValue).map((text, place) =>
          Number.isInteger(splits[place]) || form === 'lines' ? text : '',
        ),
    },
  ]
}

/** The highest stack is drawn first, so that the lower ones lie on it. */
function seriesOf(lines: Look['lines'], form: Look['form']): UPlot.Series[] {
  const paths = form === 'bars' ? UPlot.paths.bars?.({ size: [0.82, 32], align: 1, radius: 0 }) : UPlot.paths.linear?.()
  return [
    {},
    ...lines.toReversed().map(({ label, dash, weight = USUAL_WEIGHT, ...look }) => ({
      label,
      stroke: colour(look),
      width: form === 'bars' ? 0 : weight,
      ...(form === 'bars' && { fill: colour(look) }),
      ...(form === 'lines' && dash !== undefined && { dash: [...dash] }),
      ...(paths && { paths }),
      points: {
        show: form === 'lines',
        size: 5,
        width: 0,
        fill: colour(look),
        // What is filtered is drawn even where points are not shown: bars have none.
        ...(form === 'lines' && {
          filter: (chart: UPlot, series: number) => lonePoints(chart.data[series] ?? []),
        }),
      },
    })),
  ]
}

/** Hands over the span that was dragged, widened to whole buckets, and takes its mark off the chart. */
function selectSpan(chart: UPlot, bucketMs: number, onRangeSelect: CanvasProps['onRangeSelect']): void {
  if (chart.select.width < 2) return
  const from = chart.posToVal(chart.select.left, 'x') * 1000
  const to = chart.posToVal(chart.select.left + chart.select.width, 'x') * 1000
  chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
  onRangeSelect?.(Math.floor(from / bucketMs) * bucketMs, Math.ceil(to / bucketMs) * bucketMs)
}

/** The present at the end of the axis, in line with the moments beside it. */
function drawNow({ ctx, bbox }: UPlot): void {
  ctx.save()
  ctx.fillStyle = token('--ink-2')
  ctx.font = `${11 * devicePixelRatio}px ${token('--font')}`
  ctx.textAlign = 'right'
  ctx.textBaseline = 'top'
  ctx.fillText('now', bbox.left + bbox.width, bbox.top + bbox.height + (TIME_TICK + TIME_GAP) * devicePixelRatio)
  ctx.restore()
}

/** Marks of the last bucket stand at the end, where its value is drawn. */
function drawMarks(
  chart: UPlot,
  marks: readonly { readonly timeMs: number; readonly label: string }[],
  bucketMs: number,
): void {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.strokeStyle = token('--accent')
  ctx.fillStyle = token('--accent')
  ctx.font = `${11 * devicePixelRatio}px ${token('--font')}`
  // Axes are written before, to the right.
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
  const right = bbox.left + bbox.width
  const end = (chart.data[0].at(-1) ?? 0) * 1000 + bucketMs
  const placed = marks
    .filter(({ timeMs }) => timeMs <= end)
    .map(({ label, timeMs }) => ({
      label,
      x: Math.min(right, Math.round(chart.valToPos(timeMs / 1000, 'x', true))),
      width: ctx.measureText(label).width,
    }))
    .filter(({ x }) => x >= bbox.left)
    .toSorted((a, b) => a.x - b.x)
  const starts = markLabels(placed, { left: bbox.left, right, gap: 5 * devicePixelRatio })
  for (const [index, { label, x }] of placed.entries()) {
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const start = starts[index] ?? null
    if (start !== null) ctx.fillText(label, start, bbox.top + 10 * devicePixelRatio)
  }
  ctx.restore()
}

const END_ROOM = 150
const END_GAP = 6
const END_LINE = 14
/** Long enough to show the dashes of most lines. */
const END_MARK = 14

/** Room for the names at the ends of lines: what the longest needs, up to a limit. */
function endRoom({ ctx, width }: UPlot, lines: readonly DrawnLine[]): number {
  ctx.save()
  ctx.font = `11px ${token('--font')}`
  const longest = Math.max(0, ...lines.map(({ label }) => ctx.measureText(label).width))
  ctx.restore()
  return Math.min(END_ROOM, Math.round(width * 0.28), Math.ceil(longest) + END_GAP + END_MARK + 12)
}

/** The name of each line where it ends; those that would lie on each other move apart. */
function nameLines(chart: UPlot, lines: readonly DrawnLine[]): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  const step = END_LINE * ratio
  const ends = lines
    .flatMap((line, index) => {
      // They are drawn from the last one up.
      const values = [...(chart.data[lines.length - index] ?? [])]
      const last = values.findLast((value) => value !== null && value !== undefined)
      return last === null || last === undefined ? [] : [{ ...line, place: index, y: chart.valToPos(last, 'y', true) }]
    })
    // Of the same value, the later one is above: percentiles come from the lowest up.
    .toSorted((a, b) => a.y - b.y || b.place - a.place)
  const bottom = bbox.top + bbox.height
  let free = bbox.top
  const placed = ends.map((end, index) => {
    const lowest = bottom - (ends.length - 1 - index) * step
    const y = Math.min(lowest, Math.max(end.y, free))
    free = y + step
    return { ...end, y }
  })
  ctx.save()
  ctx.font = `${11 * ratio}px ${token('--font')}`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  const x = bbox.left + bbox.width + END_GAP * ratio
  const room = (endRoom(chart, lines) - END_GAP - 4) * ratio
  for (const { label, dash, y, weight = USUAL_WEIGHT, ...look } of placed) {
    ctx.strokeStyle = colour(look)
    ctx.lineWidth = weight * ratio
    ctx.setLineDash((dash ?? []).map((length) => length * ratio))
    ctx.beginPath()
    ctx.moveTo(x, y)
    ctx.lineTo(x + END_MARK * ratio, y)
    ctx.stroke()
    ctx.fillStyle = token('--ink')
    ctx.fillText(shortened(ctx, label, room - (END_MARK + 4) * ratio), x + (END_MARK + 4) * ratio, y)
  }
  ctx.restore()
}

function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text
  let length = text.length - 1
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > room) length -= 1
  return `${text.slice(0, length)}…`
}

/** What is not known yet is pale and hatched, not a drop; of a line, already what leads there (`before`, milliseconds). */
function veil(chart: UPlot, fromMs: number | undefined, before: number): void {
  if (fromMs === undefined) return
  const { ctx, bbox } = chart
  const right = bbox.left + bbox.width
  const left = Math.max(bbox.left, chart.valToPos((fromMs - before) / 1000, 'x', true))
  if (left >= right) return
  const gap = 6 * devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, bbox.top, right - left, bbox.height)
  ctx.clip()
  ctx.globalAlpha = 0.7
  ctx.fillStyle = token('--panel')
  ctx.fillRect(left, bbox.top, right - left, bbox.height)
  ctx.globalAlpha = 1
  ctx.strokeStyle = token('--line-strong')
  ctx.lineWidth = devicePixelRatio
  ctx.beginPath()
  for (let x = left - bbox.height; x < right; x += gap) {
    ctx.moveTo(x, bbox.top + bbox.height)
    ctx.lineTo(x + bbox.height, bbox.top)
  }
  ctx.stroke()
  ctx.restore()
}

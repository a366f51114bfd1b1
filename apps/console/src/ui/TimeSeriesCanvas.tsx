import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatCompact } from '../lib/format.ts'
import { formatMoment, isMidnight, timeZone } from '../lib/moments.ts'
import { usePaintedTheme } from '../lib/theme.ts'
import type { Tone } from './Badge.tsx'
import type { TimeSeriesProps } from './TimeSeries.tsx'
import styles from './TimeSeriesCanvas.module.css'

interface CanvasProps extends TimeSeriesProps {
  readonly height: number
  readonly cursor: number | null
  readonly onCursor: (index: number | null) => void
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

function colour(tone: Tone): string {
  return token(tone === 'neutral' ? '--chart-bar' : `--${tone}`)
}

/** Adds each series to the ones below it, so that bars drawn from the top series down look stacked. */
function stack(series: readonly (readonly (number | null)[])[]): (number | null)[][] {
  let below: readonly (number | null)[] = []
  return series.map((values) => {
    const sums = values.map((value, index) => (value ?? 0) + (below[index] ?? 0))
    below = sums
    return sums
  })
}

const NO_MARKS: NonNullable<TimeSeriesProps['marks']> = []

/** The canvas of `TimeSeries`: uPlot, painted with the tokens. Loaded when a chart is first shown. */
export function TimeSeriesCanvas({
  times,
  bucketMs,
  series,
  form = 'bars',
  height,
  marks = NO_MARKS,
  formatValue = formatCompact,
  onRangeSelect,
  cursor,
  onCursor,
}: CanvasProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot | null>(null)
  const theme = usePaintedTheme()
  const callbacks = useRef({ onCursor, onRangeSelect, formatValue, marks })
  const data = useRef<UPlot.AlignedData>([[]])
  useEffect(() => {
    callbacks.current = { onCursor, onRangeSelect, formatValue, marks }
  })
  const selectable = onRangeSelect !== undefined
  // As a text, because the chart is built anew only when labels or tones really change.
  const shape = JSON.stringify(series.map((line) => [line.label, line.tone ?? 'neutral']))

  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    // The colours below are those of this theme.
    element.dataset.painted = theme
    const lines = JSON.parse(shape) as readonly (readonly [string, Tone])[]
    const font = `11px ${token('--font')}`
    const bars = UPlot.paths.bars?.({ size: [0.82, 32], align: 1, radius: 0 })
    const curves = UPlot.paths.linear?.()
    const build = form === 'bars' ? bars : curves
    const chart = new UPlot(
      {
        width: Math.max(120, element.clientWidth),
        height,
        padding: [8, 18, 0, 0],
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
          y: { range: (_, __, max) => [0, Math.max(1, max * 1.06)] },
        },
        axes: [
          {
            stroke: token('--ink-2'),
            font,
            size: 24,
            gap: 4,
            grid: { show: false },
            ticks: { stroke: token('--line-strong'), width: 1, size: 4 },
            values: timeAxis,
          },
          {
            stroke: token('--ink-2'),
            font,
            size: 44,
            gap: 6,
            space: 36,
            grid: { stroke: token('--line'), width: 1 },
            ticks: { show: false },
            values: (_, splits) =>
              splits.map((value) =>
                Number.isInteger(value) || form === 'lines' ? callbacks.current.formatValue(value) : '',
              ),
          },
        ],
        series: [
          {},
          // The highest stack is drawn first, so that the lower ones lie on it.
          ...lines.toReversed().map(([label, tone]) => ({
            label,
            stroke: colour(tone),
            width: form === 'bars' ? 0 : 1.5,
            ...(form === 'bars' && { fill: colour(tone) }),
            ...(build && { paths: build }),
            points: { show: false },
          })),
        ],
        hooks: {
          setCursor: [(self) => callbacks.current.onCursor(self.cursor.idx ?? null)],
          setSelect: [
            (self) => {
              if (self.select.width < 2) return
              const from = self.posToVal(self.select.left, 'x') * 1000
              const to = self.posToVal(self.select.left + self.select.width, 'x') * 1000
              self.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
              callbacks.current.onRangeSelect?.(
                Math.floor(from / bucketMs) * bucketMs,
                Math.ceil(to / bucketMs) * bucketMs,
              )
            },
          ],
          draw: [(self) => drawMarks(self, callbacks.current.marks)],
        },
      },
      data.current,
      element,
    )
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
  }, [shape, theme, height, form, bucketMs, selectable])

  useEffect(() => {
    const values = series.map((line) => line.values)
    const drawn = form === 'bars' ? stack(values) : values.map((line) => [...line])
    data.current = [times.map((time) => time / 1000), ...drawn.toReversed()]
    plot.current?.setData(data.current)
  }, [times, series, form])

  useEffect(() => {
    const chart = plot.current
    if (chart === null || cursor === null || chart.cursor.idx === cursor) return
    const time = times[cursor]
    if (time !== undefined) chart.setCursor({ left: chart.valToPos(time / 1000, 'x'), top: 0 }, false)
  }, [cursor, times])

  return <div ref={host} className={styles.canvas} aria-hidden="true" />
}

/** Hours as `14:00`, midnights and days as `20 Nov`. */
function timeAxis(_: UPlot, splits: readonly number[]): string[] {
  return splits.map((seconds) => {
    const timeMs = seconds * 1000
    return formatMoment(isMidnight(timeMs) ? 'date' : 'clock', timeMs)
  })
}

function drawMarks(chart: UPlot, marks: readonly { readonly timeMs: number; readonly label: string }[]): void {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.strokeStyle = token('--accent')
  ctx.fillStyle = token('--accent')
  ctx.font = `${11 * devicePixelRatio}px ${token('--font')}`
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
  for (const mark of marks) {
    const x = Math.round(chart.valToPos(mark.timeMs / 1000, 'x', true))
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    ctx.fillText(mark.label, x + 5 * devicePixelRatio, bbox.top + 10 * devicePixelRatio)
  }
  ctx.restore()
}

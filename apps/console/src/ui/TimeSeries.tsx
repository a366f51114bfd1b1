import { useId, useState, type KeyboardEvent } from 'react'
import { formatCount } from '../lib/format.ts'
import { formatMoment } from '../lib/moments.ts'
import type { Tone } from './Badge.tsx'
import { lazyPart } from './lazy-part.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Table, Tbody, Td, Th, Thead, Tr } from './Table.tsx'
import { highestOf } from './ticks.ts'
import styles from './TimeSeries.module.css'

const TimeSeriesCanvas = lazyPart(() => import('./TimeSeriesCanvas.tsx').then((module) => module.TimeSeriesCanvas))

export interface TimeSeriesLine {
  readonly label: string
  /** One per bucket; null is a gap. */
  readonly values: readonly (number | null)[]
  /** Neutral unless series are compared. */
  readonly tone?: Tone
  /** In place of a tone, where there are more lines than tones: the token of a colour, and dashes, so that nobody depends on hue. */
  readonly hue?: string
  readonly dash?: readonly number[]
  /** How thick the line is, in CSS pixels. */
  readonly weight?: number | undefined
}

export interface TimeSeriesProps {
  /** Starts of the buckets, milliseconds since the epoch, ascending. */
  readonly times: readonly number[]
  readonly bucketMs: number
  readonly series: readonly TimeSeriesLine[]
  /** `bars`: counts per bucket, stacked when there are several series · `lines`: values over time. */
  readonly form?: 'bars' | 'lines'
  /** After every value: "events", "ms". */
  readonly unit: string
  readonly formatValue?: (value: number) => string
  readonly height?: number
  /** Moments marked by a dashed line: a release, a deploy. */
  readonly marks?: readonly { readonly timeMs: number; readonly label: string }[]
  /** Drag over the chart, or Shift + arrow keys and Enter, chooses a span of time. */
  readonly onRangeSelect?: ((fromMs: number, toMs: number) => void) | undefined
  /** Names the chart: "Outcomes per hour". */
  readonly label: string
  readonly hideLegend?: boolean
  /** Sums over time would mean nothing: percentiles, shares. The legend then has values only while a bucket is read. */
  readonly hideTotal?: boolean
  /** Lines are named at their end, in place of a legend. */
  readonly endLabels?: boolean
  /** The time that was asked for ends in the present, which stands at the end of the axis. */
  readonly endsNow?: boolean
  /** From this bucket on, milliseconds since the epoch, more may still arrive: it is drawn as what is not known yet. */
  readonly incompleteFromMs?: number | undefined
}

/** Charts below this height, in CSS pixels, have no room for a value per line. */
const LOW = 120

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3600_000

/** A bucket's name: `20 Nov, 14:00`, of less than a minute `20 Nov, 14:00:30` or, for whole days, `Fri 20 Nov`. */
export function bucketLabel(timeMs: number, bucketMs: number): string {
  return formatMoment(bucketMs >= DAY_MS ? 'weekday' : bucketMs < MINUTE_MS ? 'second' : 'hour', timeMs)
}

const momentAt = (times: readonly number[], index: number, bucketMs: number): string =>
  bucketLabel(times[index] ?? 0, bucketMs)

const toValue = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '–' : format(value)

/** Values over time with readable axes, exact values on hover and by arrow keys, and the same facts as a table. */
export function TimeSeries(props: TimeSeriesProps) {
  const {
    times,
    bucketMs,
    series,
    unit,
    label,
    height = 160,
    hideLegend = false,
    hideTotal = false,
    endLabels = false,
    incompleteFromMs,
  } = props
  const formatValue = props.formatValue ?? formatCount
  const { cursor, setCursor, onKeyDown } = useCursor(props)
  const [asTable, setAsTable] = useState(false)
  const summaryId = useId()
  const isEmpty = highestOf(series.map((line) => line.values)) === null
  const shown = cursor === null ? undefined : times[cursor]
  const values = series.map(({ values: all }) =>
    cursor !== null
      ? (all[cursor] ?? null)
      : hideTotal
        ? null
        : all.reduce<number>((sum, value) => sum + (value ?? 0), 0),
  )
  const hasSomething = values.some((value) => (value ?? 0) !== 0)
  // Where there is no total, the slider stands at the end until somebody moves it.
  const last = times.length - 1
  const heard = cursor ?? (hideTotal && last >= 0 ? last : null)
  const spoken = series.map(({ label: name, values: all }, index) => {
    const value = heard === null ? values[index] : all[heard]
    return `${name} ${toValue(value, formatValue)}`
  })

  return (
    <figure className={styles.figure}>
      <div
        className={styles.chart}
        style={{ height }}
        // A chart read by keyboard is a slider over its buckets: each step speaks its values.
        role="slider"
        aria-label={label}
        aria-describedby={summaryId}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={cursor ?? Math.max(0, last)}
        aria-valuetext={`${heard === null ? 'total' : momentAt(times, heard, bucketMs)}: ${spoken.join(', ')}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(null)}
      >
        {times.length === 0 ? null : (
          <TimeSeriesCanvas
            {...props}
            height={height}
            cursor={cursor}
            onCursor={setCursor}
            fallback={<Skeleton height={height} />}
          />
        )}
        {isEmpty ? <p className={styles.nothing}>No values in this time</p> : null}
        {cursor !== null && (hideLegend || endLabels) && (height >= LOW || hasSomething) ? (
          // In the foot it would move what is below whenever the chart is read.
          <div
            className={styles.reading}
            data-side={cursor * 2 < times.length ? 'right' : 'left'}
            data-low={height < LOW ? '' : undefined}
          >
            <Legend series={series} values={values} formatValue={formatValue} isShort={height < LOW} />
          </div>
        ) : null}
      </div>
      <div className={styles.foot}>
        {hideLegend || endLabels ? null : (
          <Legend series={series} values={hideTotal && cursor === null ? null : values} formatValue={formatValue} />
        )}
        {incompleteFromMs === undefined || isEmpty ? null : <span>Hatched: more may still arrive</span>}
        <span className={styles.moment}>
          {shown !== undefined ? bucketLabel(shown, bucketMs) : hideLegend || hideTotal ? unit : `${unit} in total`}
        </span>
        <button type="button" className={styles.toggle} aria-expanded={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Hide table' : 'Table'}
        </button>
      </div>
      <p id={summaryId} className={styles.spoken}>
        {times.length === 0
          ? 'No values.'
          : `${formatCount(times.length)} steps, ${momentAt(times, 0, bucketMs)} to ${momentAt(times, last, bucketMs)}. Arrow keys read them one by one.${spokenMarks(props)}`}
      </p>
      {asTable ? <AsTable {...props} formatValue={formatValue} /> : null}
    </figure>
  )
}

/** So many are read aloud, the newest. */
const MARKS_SPOKEN = 5

function spokenMarks({ bucketMs, marks = [], times }: TimeSeriesProps): string {
  const from = times[0] ?? 0
  const to = (times.at(-1) ?? 0) + bucketMs
  const within = marks.filter(({ timeMs }) => timeMs >= from && timeMs <= to).toSorted((a, b) => a.timeMs - b.timeMs)
  const said = within.slice(-MARKS_SPOKEN).map(({ label, timeMs }) => `${label} at ${formatMoment('hour', timeMs)}`)
  return said.length === 0 ? '' : ` Marked: ${said.join(', ')}.`
}

/** As tall as the chart will be with its foot, so that nothing moves when its values arrive. */
export function TimeSeriesSkeleton({ height }: { readonly height: number }) {
  return (
    <div className={styles.coming}>
      <Skeleton height={height} />
    </div>
  )
}

function Legend({
  series,
  values,
  formatValue,
  isShort = false,
}: Pick<TimeSeriesProps, 'series'> & {
  /** Of each line; null for none. */
  readonly values: readonly (number | null)[] | null
  readonly formatValue: (value: number) => string
  /** Without the lines that have nothing. */
  readonly isShort?: boolean
}) {
  return (
    <ul className={styles.legend}>
      {series.map((line, index) =>
        isShort && (values?.[index] ?? 0) === 0 ? null : (
          <li key={line.label} className={styles.entry}>
            <span
              className={styles.swatch}
              data-tone={line.tone ?? 'neutral'}
              style={line.hue === undefined ? undefined : { background: `var(${line.hue})` }}
            />
            <span className={styles.line}>{line.label}</span>
            {values === null ? null : <span className={styles.value}>{toValue(values[index], formatValue)}</span>}
          </li>
        ),
      )}
    </ul>
  )
}

/** Which bucket is read, as its index, null for none; arrow keys move it, and with Shift choose a span of time. */
function useCursor({ times, bucketMs, onRangeSelect }: TimeSeriesProps) {
  const [cursor, setCursor] = useState<number | null>(null)
  const [anchor, setAnchor] = useState<number | null>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = times.length - 1
    const at = cursor ?? last
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      setAnchor(event.shiftKey ? (anchor ?? at) : null)
      setCursor(Math.min(last, Math.max(0, cursor === null && event.key !== 'Home' ? last : next)))
    } else if (event.key === 'Escape') {
      setCursor(null)
      setAnchor(null)
    } else if (event.key === 'Enter' && onRangeSelect !== undefined && cursor !== null) {
      const from = times[Math.min(cursor, anchor ?? cursor)]
      const to = times[Math.max(cursor, anchor ?? cursor)]
      if (from !== undefined && to !== undefined) onRangeSelect(from, to + bucketMs)
    }
  }
  return { cursor, setCursor, onKeyDown }
}

function AsTable({
  times,
  bucketMs,
  series,
  label,
  formatValue,
}: TimeSeriesProps & { readonly formatValue: (value: number) => string }) {
  return (
    <div className={styles.table}>
      <Table caption={`${label}, as a table`} minWidth={120 + series.length * 90}>
        <Thead>
          <Th>Time</Th>
          {series.map((line) => (
            <Th key={line.label} numeric>
              {line.label}
            </Th>
          ))}
        </Thead>
        <Tbody>
          {times.map((time, index) => (
            <Tr key={time}>
              <Td>{bucketLabel(time, bucketMs)}</Td>
              {series.map((line) => (
                <Td key={line.label} numeric>
                  {toValue(line.values[index], formatValue)}
                </Td>
              ))}
            </Tr>
          ))}
        </Tbody>
      </Table>
    </div>
  )
}

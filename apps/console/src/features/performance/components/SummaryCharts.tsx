import { useQuery } from '@tanstack/react-query'
import { cx } from '../../../lib/cx.ts'
import { describeError } from '../../../lib/api.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { ErrorState, TimeSeries, type TimeSeriesProps, TimeSeriesSkeleton, VisuallyHidden } from '../../../ui/index.ts'
import { rangeBetween } from '../../issues/model/index.ts'
import { useReleaseMarks } from '../../releases/links/index.ts'
import { timeBeforeText } from '../model/change.ts'
import type { PerformanceSearch } from '../model/performance-search.ts'
import {
  estimateText,
  formatOf,
  SUMMARY,
  summaryChange,
  summaryLines,
  type SummaryMeasure,
  summaryText,
} from '../model/summary.ts'
import { summaryQuery } from '../queries.ts'
import styles from './SummaryCharts.module.css'

const HEIGHT = 96
/** Dots alone: what was before. */
const BEFORE_DASH = [1, 3]

interface Props {
  readonly org: string
  readonly search: PerformanceSearch
  readonly apdexThreshold: number
  readonly onChange: (change: Partial<PerformanceSearch>) => void
}

/** All transactions: how many, how many failed, how slow, how content; beside the time before. */
export function SummaryCharts(props: Props) {
  const { data, error, isPlaceholderData, refetch } = useQuery(summaryQuery(props.org, props.search))
  const marks = useReleaseMarks(props.org, props.search)
  if (data === undefined && error !== null) {
    return (
      <ErrorState
        compact
        title="The charts could not be loaded"
        {...describeError(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <ul
      className={cx(styles.charts, isPlaceholderData && styles.outdated)}
      aria-label="All transactions that were found"
      tabIndex={0}
    >
      {SUMMARY.map((measure) => (
        <li key={measure.key} className={styles.chart}>
          <One measure={measure} data={data} marks={marks} {...props} />
        </li>
      ))}
    </ul>
  )
}

type Summary = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof summaryQuery>['queryFn']>>>>

function One({
  measure,
  data,
  marks,
  search,
  apdexThreshold,
  onChange,
}: Props & {
  readonly measure: SummaryMeasure
  readonly data: Summary | undefined
  readonly marks: NonNullable<TimeSeriesProps['marks']>
}) {
  const label = measure.key === 'apdex' ? `apdex, T ${formatSpent(apdexThreshold)}` : measure.label
  const change = data === undefined ? null : summaryChange(measure, data.now, data.before)
  const lines = data === undefined ? null : summaryLines(data.chart, measure)
  const estimate = data === undefined || measure.key !== 'rate' ? null : estimateText(data.now)
  const isWorse = change?.verdict === 'worse'
  return (
    <>
      <p className={styles.head}>
        <strong className={styles.value}>{data === undefined ? '\u00a0' : summaryText(measure, data.now)}</strong>{' '}
        <span className={styles.label} title={estimate ?? undefined}>
          {label}
          {estimate === null ? null : <Estimated text={estimate} />}
        </span>{' '}
        {change === null ? null : (
          <span className={styles.change} data-verdict={change.verdict} title={`Against ${timeBeforeText(search)}`}>
            {change.text}
          </span>
        )}
      </p>
      {data === undefined || lines === null ? (
        <TimeSeriesSkeleton height={HEIGHT} />
      ) : (
        <TimeSeries
          label={`${label} over time`}
          form="lines"
          unit="dotted: the time before"
          hideTotal
          hideLegend
          endsNow={search.end === undefined}
          times={data.chart.times}
          bucketMs={data.chart.bucketMs}
          marks={marks}
          series={[
            { label, values: lines.now, hue: isWorse ? '--error' : '--ink' },
            { label: 'before', values: lines.before, hue: '--ink-2', dash: BEFORE_DASH, weight: 1 },
          ]}
          formatValue={formatOf(measure, data.now)}
          onRangeSelect={(from, to) => onChange(rangeBetween(from, to))}
          height={HEIGHT}
        />
      )}
    </>
  )
}

/** There is room for how much it was counted up; from how many samples is read aloud, and stands in the title. */
function Estimated({ text }: { readonly text: string }) {
  const [times = '', ...from] = text.split(', ')
  return (
    <>
      , {times}
      <VisuallyHidden>, {from.join(', ')}</VisuallyHidden>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { describeError } from '../../../lib/api.ts'
import { formatStep } from '../../../lib/format.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import {
  ErrorState,
  Panel,
  SegmentedControl,
  TimeSeries,
  type TimeSeriesLine,
  type TimeSeriesProps,
  TimeSeriesSkeleton,
} from '../../../ui/index.ts'
import { useAlertMarks } from '../../alerts/links/index.ts'
import { rangeBetween, scopeQuery } from '../../issues/model/index.ts'
import { useReleaseMarks } from '../../releases/links/index.ts'
import type { ExploreSearch } from '../model/explore-search.ts'
import { letterOf } from '../model/functions.ts'
import { type Chart, type ChartLine, lookOf } from '../model/lines.ts'
import { titleOf } from '../model/metrics.ts'
import { shownLabel } from '../model/shown-value.ts'
import { formatTick } from '../model/values.ts'
import { chartQuery } from '../queries.ts'
import type { Change } from './ExploreScreen.tsx'
import styles from './ChartPanel.module.css'

const HEIGHT = 220

interface Props {
  readonly org: string
  readonly search: ExploreSearch
  readonly onChange: Change
}

/** One of the functions over time, a line for each of the groups where it is largest. */
export function ChartPanel({ org, search, onChange }: Props) {
  const { data, error, isPlaceholderData, refetch } = useQuery(chartQuery(org, search))
  const projects = useProjectNames(org)
  const { environment: _, ...where } = scopeQuery(search)
  const alerts = useAlertMarks(org, where)
  const releases = useReleaseMarks(org, search)
  const marks = useMemo(() => [...releases, ...alerts], [alerts, releases])
  const [wanted, setWanted] = useState<string | null>(null)
  const shown = search.visualise
  const axis = shown.find((one) => one === wanted) ?? shown[0] ?? 'count()'
  const letter = letterOf(shown.indexOf(axis))
  const step = data === undefined ? null : data.bucketMs
  const by = search.group.length === 0 ? '' : `by ${search.group.join(', ')}, `
  // Already there when the step comes: on a phone it is a line of its own.
  const isNone = step === 0 || (step === null && error !== null)
  const subtitle = isNone ? undefined : `${by}over ${step === null ? '…' : formatStep(step)}`
  return (
    <Panel
      className={isPlaceholderData ? styles.outdated : undefined}
      title={
        <span className={styles.title}>
          {letter} <code>{titleOf(axis)}</code>
        </span>
      }
      subtitle={subtitle}
      actions={
        <>
          {shown.length < 2 ? null : (
            <SegmentedControl
              aria-label="Which function is drawn"
              value={axis}
              onValueChange={setWanted}
              options={shown.map((one, place) => ({ value: one, label: letterOf(place) }))}
            />
          )}
          <SegmentedControl
            aria-label="How it is drawn"
            value={search.form}
            onValueChange={(form) => onChange({ form })}
            options={[
              { value: 'lines', label: 'Lines' },
              { value: 'bars', label: 'Bars' },
              { value: 'compared', label: 'With before' },
            ]}
          />
        </>
      }
    >
      {data !== undefined ? (
        <Drawn
          chart={data}
          axis={axis}
          form={search.form}
          endsNow={search.end === undefined}
          marks={marks}
          nameOf={(line) => shownLabel(search.group, line, projects)}
          onChange={onChange}
        />
      ) : error === null ? (
        <TimeSeriesSkeleton height={HEIGHT} />
      ) : (
        <ErrorState
          compact
          title="The chart could not be loaded"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
    </Panel>
  )
}

/** Dots alone: what was before. */
const BEFORE_DASH = [1, 3]

/** The line of a group, and in the same colour that of the time before. */
function seriesOf(
  { isOther, values, before }: ChartLine,
  label: string,
  place: number,
  axis: string,
): TimeSeriesLine[] {
  const name = label === '' ? titleOf(axis) : label
  const look = lookOf(place, isOther)
  const earlier = before.get(axis)
  return [
    { label: name, values: values.get(axis) ?? [], ...look },
    ...(earlier === undefined ? [] : [{ label: `${name}, before`, values: earlier, ...look, dash: BEFORE_DASH }]),
  ]
}

function Drawn({
  chart: { times, bucketMs, incompleteFromMs, kinds, lines },
  axis,
  form,
  endsNow,
  marks,
  nameOf,
  onChange,
}: {
  readonly chart: Chart
  readonly axis: string
  readonly form: ExploreSearch['form']
  readonly endsNow: boolean
  /** When releases began to run, and when alerts fired. */
  readonly marks: NonNullable<TimeSeriesProps['marks']>
  readonly nameOf: (line: ChartLine) => string
  readonly onChange: Change
}) {
  const kind = kinds.get(axis) ?? { type: 'number', unit: null }
  // All others together would hide what was asked for, unless what is drawn adds up.
  const addsUp = kind.type === 'integer' || kind.type === 'rate'
  const drawn = lines.filter(({ isOther }) => addsUp || !isOther)
  return (
    <TimeSeries
      key={`${axis} ${form}`}
      label={`${titleOf(axis)} over time`}
      form={form === 'bars' ? 'bars' : 'lines'}
      unit={titleOf(axis)}
      hideTotal
      endLabels={form === 'lines' && drawn.some(({ label }) => label !== '')}
      hideLegend={form !== 'compared' && drawn.length === 1 && drawn[0]?.label === ''}
      endsNow={endsNow}
      marks={marks}
      times={times}
      bucketMs={bucketMs}
      incompleteFromMs={incompleteFromMs}
      series={drawn.flatMap((line, place) => seriesOf(line, nameOf(line), place, axis))}
      formatValue={(value) => formatTick(kind, value)}
      onRangeSelect={(from, to) => onChange(rangeBetween(from, to))}
      height={HEIGHT}
    />
  )
}

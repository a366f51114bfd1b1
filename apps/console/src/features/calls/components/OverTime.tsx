import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatStep } from '../../../lib/format.ts'
import { Loaded, Panel, Select, TimeSeries, TimeSeriesSkeleton } from '../../../ui/index.ts'
import { rangeBetween, type ScopeSearch } from '../../issues/model/index.ts'
import { useReleaseMarks } from '../../releases/links/index.ts'
import { type CallKind, COMPARED, formatCell } from '../model/kinds.ts'
import { overTimeQuery } from '../queries.ts'
import styles from './OverTime.module.css'

const HEIGHT = 160

interface Props {
  readonly org: string
  readonly kind: CallKind
  readonly scope: ScopeSearch
  /** Which spans, as a search. */
  readonly condition: string
  readonly onRange: (range: Pick<ScopeSearch, 'start' | 'end' | 'utc'>) => void
}

/** One of the columns over time. */
export function OverTime({ org, kind, scope, condition, onRange }: Props) {
  const [key, setKey] = useState(COMPARED)
  const column = kind.columns.find((one) => one.key === key) ?? kind.columns[0]
  if (column === undefined) return null
  return (
    <Drawn
      {...{ org, kind, scope, condition, onRange }}
      column={column}
      choice={
        <Select
          look="bar"
          aria-label="What the chart shows"
          value={column.key}
          options={kind.columns.map(({ key: value, label }) => ({ value, label }))}
          onValueChange={setKey}
        />
      }
    />
  )
}

function Drawn({
  org,
  kind,
  scope,
  condition,
  column,
  choice,
  onRange,
}: Props & { readonly column: CallKind['columns'][number]; readonly choice: ReactNode }) {
  const query = useQuery(overTimeQuery(org, kind, { scope, condition, column }))
  const marks = useReleaseMarks(org, scope)
  const { data, isPlaceholderData } = query
  const isBars = column.form === 'count' || column.form === 'rate' || column.form === 'cost'
  return (
    <Panel
      className={isPlaceholderData ? styles.outdated : undefined}
      title={`${column.label} over time`}
      subtitle={data === undefined || data.bucketMs === 0 ? undefined : `over ${formatStep(data.bucketMs)}`}
      actions={choice}
    >
      <Loaded
        query={query}
        compact
        failed="The chart could not be loaded"
        outline={<TimeSeriesSkeleton height={HEIGHT} />}
      >
        {({ times, bucketMs, incompleteFromMs, lines }) => (
          <TimeSeries
            key={column.key}
            label={`${column.label} over time`}
            form={isBars ? 'bars' : 'lines'}
            unit={column.label}
            hideTotal
            hideLegend
            endsNow={scope.end === undefined}
            times={times}
            bucketMs={bucketMs}
            marks={marks}
            incompleteFromMs={incompleteFromMs}
            series={[{ label: column.label, values: lines[0]?.values.get(column.field) ?? [], tone: 'accent' }]}
            formatValue={(value) => formatCell(column.form, value)}
            onRangeSelect={(from, to) => onRange(rangeBetween(from, to))}
            height={HEIGHT}
          />
        )}
      </Loaded>
    </Panel>
  )
}

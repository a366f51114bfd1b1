import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { describeError } from '../../../lib/api.ts'
import { formatStep } from '../../../lib/format.ts'
import { ErrorState, Panel, Select, Skeleton, TimeSeries } from '../../../ui/index.ts'
import type { ScopeSearch } from '../../issues/model/index.ts'
import { type CallKind, formatCell } from '../model/kinds.ts'
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
  const [key, setKey] = useState(kind.compared)
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
  const { data, error, isPlaceholderData, refetch } = useQuery(overTimeQuery(org, kind, { scope, condition, column }))
  const isBars = column.form === 'count' || column.form === 'rate' || column.form === 'cost'
  return (
    <Panel
      className={isPlaceholderData ? styles.outdated : undefined}
      title={`${column.label} over time`}
      subtitle={data === undefined || data.bucketMs === 0 ? undefined : `over ${formatStep(data.bucketMs)}`}
      actions={choice}
    >
      {data === undefined ? (
        error === null ? (
          <Skeleton height={HEIGHT} />
        ) : (
          <ErrorState
            compact
            title="The chart could not be loaded"
            {...describeError(error)}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <TimeSeries
          key={column.key}
          label={`${column.label} over time`}
          form={isBars ? 'bars' : 'lines'}
          unit={column.label}
          hideTotal
          hideLegend
          times={data.times}
          bucketMs={data.bucketMs}
          incompleteFromMs={data.incompleteFromMs}
          series={[{ label: column.label, values: data.lines[0]?.values.get(column.field) ?? [], tone: 'accent' }]}
          formatValue={(value) => formatCell(column.form, value)}
          onRangeSelect={(from, to) =>
            onRange({ start: new Date(from).toISOString(), end: new Date(to).toISOString(), utc: undefined })
          }
          height={HEIGHT}
        />
      )}
    </Panel>
  )
}

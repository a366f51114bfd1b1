import { useInfiniteQuery } from '@tanstack/react-query'
import { describeError } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { Checkbox, ErrorState, Panel, SegmentedControl, ShowMore, SkeletonRows } from '../../../ui/index.ts'
import { datasetOf } from '../model/datasets.ts'
import { type ExploreSearch, sortOf } from '../model/explore-search.ts'
import { metricOf, unitText } from '../model/metrics.ts'
import { isNothing } from '../model/nothing.ts'
import { kindOfUnit } from '../model/units.ts'
import { columnsOf, tableQuery } from '../queries.ts'
import type { Change } from './ExploreScreen.tsx'
import { GroupTable } from './GroupTable.tsx'
import { NothingFound } from './NothingFound.tsx'
import { SampleTable } from './SampleTable.tsx'
import styles from './TablePanel.module.css'

/** More would be slow to draw, and nobody reads them one by one. */
const MOST_ROWS = 1000

interface Props {
  readonly org: string
  readonly search: ExploreSearch
  readonly onChange: Change
}

/** The groups with all that was asked of them, or the single rows. */
export function TablePanel({ org, search, onChange }: Props) {
  const dataset = datasetOf(search.dataset)
  const query = useInfiniteQuery(tableQuery(org, search))
  const { data } = query
  const isGroups = search.show === 'groups'
  const rows = data?.pages.flatMap((page) => page.data.data) ?? []
  const accuracies = data?.pages.map((page) => page.data.meta.accuracy) ?? []
  const samples = accuracies.flatMap((one) => one?.sampleCount ?? [])
  // A part of a histogram is a row that stands for many, of which all were kept.
  const isEstimated = search.dataset !== 'tracemetrics'
  const rates = isEstimated ? accuracies.flatMap((one) => one?.samplingRate ?? []) : []
  const isSampled = rates.some((row) => Object.values(row).some((rate) => rate !== null && rate < 0.995))
  const sort = sortOf(search, dataset.samples)
  const meta = data?.pages[0]?.data.meta
  const metric = metricOf(search.visualise)
  const kindOf = (column: string) =>
    metric !== null && column === dataset.measured
      ? kindOfUnit(unitText(metric))
      : { type: meta?.fields[column] ?? 'string', unit: meta?.units[column] ?? null }
  const shared = {
    org,
    rows,
    kindOf,
    sort,
    columns: columnsOf(search),
    isOutdated: query.isPlaceholderData,
    onSort: (next: string) => onChange({ sort: next }),
  }
  return (
    <Panel
      content="rows"
      title={isGroups ? (search.group.length === 0 ? 'Everything together' : 'Groups') : 'Samples'}
      subtitle={
        isGroups ? undefined : search.dataset === 'errors' ? 'each opens its event and issue' : 'each opens its trace'
      }
      actions={
        <>
          {isGroups && (isSampled || search.raw) ? (
            <Checkbox
              label="Count only what was kept"
              checked={search.raw}
              onCheckedChange={(raw) => onChange({ raw })}
            />
          ) : null}
          <SegmentedControl
            aria-label="What the table shows"
            value={search.show}
            onValueChange={(show) => onChange({ show, sort: '' })}
            options={[
              { value: 'groups', label: 'Groups' },
              { value: 'samples', label: 'Samples' },
            ]}
          />
        </>
      }
    >
      {data === undefined ? (
        query.isError ? (
          <ErrorState
            title="There is no answer to this question"
            {...describeError(query.error)}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <SkeletonRows rows={8} label="Loading the answer" />
        )
      ) : isNothing({ rows, samples }, search) ? (
        <NothingFound org={org} search={search} tip={meta?.tips?.query ?? null} onChange={onChange} />
      ) : (
        <>
          {isGroups ? (
            <GroupTable {...shared} search={search} samples={samples} rates={rates} onChange={onChange} />
          ) : (
            <SampleTable {...shared} things={dataset.things} />
          )}
          {meta?.tips?.columns ? <p className={styles.tip}>{meta.tips.columns}</p> : null}
          {query.hasNextPage && rows.length >= MOST_ROWS ? (
            <p className={styles.more}>
              {formatCount(rows.length)} rows are shown. An export has all of them, or narrow the question.
            </p>
          ) : (
            <ShowMore query={query} />
          )}
        </>
      )}
    </Panel>
  )
}

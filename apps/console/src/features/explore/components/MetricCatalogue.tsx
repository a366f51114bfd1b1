import { useInfiniteQuery } from '@tanstack/react-query'
import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { directionOf, sortedBy } from '../../../lib/sort.ts'
import {
  Link,
  Loaded,
  Panel,
  RelativeTime,
  ShowMore,
  SkeletonRows,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  Tr,
  VisibleText,
} from '../../../ui/index.ts'
import { type ExploreSearch, sortOf, toUrl } from '../model/explore-search.ts'
import { type Metric, metricOfRow, unitText, usualFunctions, writeMetricFunction } from '../model/metrics.ts'
import { tableQuery } from '../queries.ts'
import type { Change } from './ExploreScreen.tsx'
import { NothingFound } from './NothingFound.tsx'
import type { Row } from './GroupTable.tsx'
import styles from './Tables.module.css'

const STACKS_BELOW = 640

interface Props {
  readonly org: string
  readonly search: ExploreSearch
  readonly onChange: Change
}

/** Which metrics there are; each leads to what it measured. */
export function MetricCatalogue({ org, search, onChange }: Props) {
  const query = useInfiniteQuery(tableQuery(org, search))
  return (
    <Panel content="rows" title="Metrics" subtitle="of this time; each opens what it measured">
      <Loaded
        query={query}
        failed="The metrics could not be listed"
        outline={<SkeletonRows rows={8} label="Loading the metrics" />}
      >
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.data.data)
          if (rows.length === 0) {
            const tip = pages[0]?.data.meta.tips?.query ?? null
            return <NothingFound org={org} search={search} tip={tip} onChange={onChange} />
          }
          const isOutdated = query.isPlaceholderData
          return (
            <>
              <MetricTable org={org} search={search} rows={rows} isOutdated={isOutdated} onChange={onChange} />
              <ShowMore query={query} />
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}

const COLUMNS = [
  { key: 'metric.name', label: 'Metric', isNumber: false },
  { key: 'metric.type', label: 'Type', isNumber: false },
  { key: 'metric.unit', label: 'Unit', isNumber: false },
  { key: 'count()', label: 'Values', isNumber: true },
  { key: 'last_seen()', label: 'Last', isNumber: true },
] as const

function MetricTable({
  org,
  search,
  rows,
  isOutdated,
  onChange,
}: Props & { readonly rows: readonly Row[]; readonly isOutdated: boolean }) {
  const sort = sortOf(search, [])
  return (
    <Table
      caption="Metrics"
      stacksBelow={STACKS_BELOW}
      minWidth={STACKS_BELOW}
      className={cx(isOutdated && styles.outdated)}
    >
      <Thead>
        {COLUMNS.map(({ key, label, isNumber }) => (
          <Th
            key={key}
            numeric={isNumber}
            sort={{ direction: directionOf(sort, key), onSort: () => onChange({ sort: sortedBy(sort, key) }) }}
          >
            {label}
          </Th>
        ))}
      </Thead>
      <Tbody>
        {rows.map((row) => {
          const metric = metricOfRow(row)
          if (metric === null) return null
          const key = writeMetricFunction('count', metric)
          return <MetricRow key={key} org={org} search={search} row={row} metric={metric} />
        })}
      </Tbody>
    </Table>
  )
}

function MetricRow({
  org,
  search,
  row,
  metric,
}: Pick<Props, 'org' | 'search'> & { readonly row: Row; readonly metric: Metric }) {
  const { 'count()': count, 'last_seen()': last } = row
  return (
    <Tr className={styles.row}>
      <Td className={styles.name} style={{ width: '50%' }}>
        <Link
          to="/organizations/$org/explore"
          params={{ org }}
          search={toUrl({ ...search, visualise: usualFunctions(metric), group: [], sort: '' })}
          className={styles.group}
        >
          <VisibleText text={metric.name} />
        </Link>
      </Td>
      <Td>{metric.type}</Td>
      <Td quiet>{unitText(metric)}</Td>
      <Td numeric className={styles.value}>
        <span className={styles.unit}>values </span>
        {formatCount(Number(count))}
      </Td>
      <Td numeric quiet>
        {typeof last === 'string' ? <RelativeTime time={last} form="ago" /> : null}
      </Td>
    </Tr>
  )
}

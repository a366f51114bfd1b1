import type { TransactionSummary } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { linkOptions, useNavigate } from '@tanstack/react-router'

import { describeError } from '../../../lib/api.ts'
import { sampledText } from '../../../lib/sampled-text.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { Num, toast, useShortcut } from '../../../ui/index.ts'
import { secondsOf } from '../../explore/model/index.ts'
import { Compared, type Measure, MeasuredTable, usePageKeys } from '../frame/index.ts'
import {
  changeOfRow,
  formatApdex,
  formatMisery,
  formatShare,
  isFailing,
  timeBeforeText,
  whyNoMisery,
} from '../model/change.ts'
import {
  compactTransaction,
  type PerformanceSearch,
  type SortName,
  type TransactionSearch,
} from '../model/performance-search.ts'
import { exactRate, formatRateIn, isTold, type RateUnit, rateUnitOf } from '../model/rate-unit.ts'
import { runCondition } from '../model/found.ts'
import { labelOf, marksOf, placeOn, type RulerScale, scaleFor } from '../model/ruler.ts'
import { SMALLEST_FIRST } from '../model/shown.ts'
import { transactionQuery } from '../queries.ts'
import { Ruler, RULER_SIDE, RULER_WIDTH } from './Ruler.tsx'
import styles from './TransactionTable.module.css'

interface TableProps {
  readonly org: string
  readonly search: PerformanceSearch
  readonly transactions: readonly TransactionSummary[]
  readonly apdexThreshold: number
  readonly isOutdated: boolean
  readonly onChange: (change: Partial<PerformanceSearch>) => void
}

export function TransactionTable({ org, search, transactions, apdexThreshold, isOutdated, onChange }: TableProps) {
  const projects = useProjectNames(org)
  const keys = useTableKeys(org, search, transactions)
  const unit = rateUnitOf(transactions.map(({ perMinute }) => perMinute))
  return (
    <MeasuredTable<TransactionSummary, SortName>
      caption="Transactions"
      rows={transactions}
      keyOf={({ projectId, op, transaction }) => `${projectId} ${op} ${transaction}`}
      keys={keys}
      pageOf={(row) => pageOf(org, row, search)}
      name={{
        key: 'transaction',
        label: 'Transaction',
        of: ({ transaction, op, projectId, projectSlug }) => ({
          text: transaction || '(no name)',
          place: [op, projects.get(projectId) ?? projectSlug].filter((word) => word !== '').join(' · '),
        }),
      }}
      measures={measuresOf(scaleFor(transactions), unit, timeBeforeText(search), apdexThreshold).filter(
        ({ key }) => key !== 'perMinute' || isTold(unit, secondsOf(search)),
      )}
      sort={search.sort}
      onSort={(sort) => onChange({ sort })}
      smallestFirst={SMALLEST_FIRST}
      isOutdated={isOutdated}
      isDense
      placesBelow
      className={styles.transactions}
    />
  )
}

type Column = Measure<TransactionSummary, SortName>

function measuresOf(scale: RulerScale, unit: RateUnit, before: string, apdexThreshold: number): readonly Column[] {
  return [
    {
      key: 'count',
      label: 'Count',
      sorts: true,
      cell: ({ count, samples }) => <Counted count={count} samples={samples} />,
    },
    {
      key: 'perMinute',
      label: `Rate ${unit.text}`,
      isMinor: true,
      explained: ({ perMinute }) => exactRate(perMinute),
      cell: ({ perMinute }) => formatRateIn(perMinute, unit),
    },
    {
      key: 'failureRate',
      label: 'Failed',
      sorts: true,
      isBad: ({ failureRate, samples }) => isFailing(failureRate, samples),
      cell: ({ failureRate }) => (
        <>
          {formatShare(failureRate)}
          <span className={styles.unit}> failed</span>
        </>
      ),
    },
    {
      key: 'ruler',
      label: <RulerHead scale={scale} before={before} />,
      isDrawn: true,
      className: styles.ruler,
      cell: (row) => (
        <Ruler
          scale={scale}
          p50={row.p50}
          p95={row.p95}
          p99={row.p99}
          before={row.before?.p95}
          verdict={changeOfRow(row)?.verdict ?? 'same'}
        />
      ),
    },
    { key: 'p50', label: 'p50', sorts: true, className: styles.other, cell: ({ p50 }) => formatSpent(p50) },
    { key: 'p75', label: 'p75', sorts: true, isMinor: true, cell: ({ p75 }) => formatSpent(p75) },
    {
      key: 'p95',
      label: 'p95',
      title: `Change against ${before}; grey below 20 samples on either side`,
      sorts: true,
      className: styles.p95,
      cell: (row) => <Compared text={formatSpent(row.p95)} change={changeOfRow(row)} isNew />,
    },
    { key: 'p99', label: 'p99', sorts: true, className: styles.other, cell: ({ p99 }) => formatSpent(p99) },
    {
      key: 'apdex',
      label: 'Apdex',
      title: `With a threshold of ${formatSpent(apdexThreshold)}`,
      sorts: true,
      className: styles.other,
      cell: ({ apdex }) => formatApdex(apdex),
    },
    {
      key: 'userMisery',
      label: 'Misery',
      title: 'Share of users who waited more than four times the threshold',
      sorts: true,
      isMinor: true,
      explained: ({ userMisery, users }) => whyNoMisery(userMisery, users),
      cell: ({ userMisery, users }) => formatMisery(userMisery, users),
    },
    {
      key: 'users',
      label: 'Users',
      sorts: true,
      className: styles.other,
      cell: ({ users }) => <Num value={users} compact />,
    },
    {
      key: 'total',
      label: 'Total',
      title: 'Time of all of them together',
      sorts: true,
      isMinor: true,
      isQuiet: true,
      cell: ({ total }) => formatSpent(total),
    },
  ]
}

function Counted({ count, samples }: Pick<TransactionSummary, 'count' | 'samples'>) {
  const estimated = sampledText(samples, samples / count)
  return (
    <span className={styles.counted}>
      <span>
        <Num value={count} compact />
        <span className={styles.unit}> times</span>
      </span>
      {estimated === null ? null : (
        <span className={styles.estimated} title={estimated}>
          {estimated.split(',', 1)}
          <span className={styles.spoken}>{estimated.slice(estimated.indexOf(','))}</span>
        </span>
      )}
    </span>
  )
}

/** The page of a transaction of the list: of the same runs, in the same environments and time. */
function pageOf(org: string, row: TransactionSummary, search: PerformanceSearch) {
  return linkOptions({
    to: '/organizations/$org/performance/summary',
    params: { org },
    search: compactTransaction(searchOf(row, search)),
  })
}

function searchOf(row: TransactionSummary, search: PerformanceSearch): TransactionSearch {
  const { query: searched, sort: _, ...scope } = search
  const query = runCondition(searched)
  return {
    ...scope,
    project: [row.projectId],
    transaction: row.transaction,
    ...(row.op !== '' && { op: row.op }),
    ...(query !== undefined && { query }),
  }
}

function useTableKeys(org: string, search: PerformanceSearch, transactions: readonly TransactionSummary[]) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const group = 'Transactions'
  const { current, ...keys } = usePageKeys({
    group,
    thing: 'transaction',
    rows: transactions,
    pageOf: (row) => pageOf(org, row, search),
  })
  const openSlowest = async (row: TransactionSummary): Promise<void> => {
    const { slowest } = await client.fetchQuery(transactionQuery(org, searchOf(row, search)))
    const [sample] = slowest
    if (sample === undefined) {
      toast({ title: 'None of its samples is kept any more' })
      return
    }
    await navigate({
      to: '/organizations/$org/traces/$trace',
      params: { org, trace: sample.traceId },
      search: { span: sample.spanId },
    })
  }
  useShortcut(
    't',
    () => {
      const row = current === null ? undefined : transactions[current]
      if (row === undefined) return
      openSlowest(row).catch((error: unknown) => {
        toast({
          title: 'The slowest trace could not be opened',
          tone: 'error',
          description: describeError(error).detail,
        })
      })
    },
    { label: 'Slowest trace', group },
  )
  return keys
}

function RulerHead({ scale, before }: { readonly scale: RulerScale; readonly before: string }) {
  const explained = `ring p50, bar to p95, whisker p99, arrow from the p95 of ${before}`
  return (
    <span className={styles.marks} style={{ width: RULER_WIDTH }} title={`The ruler: ${explained}`}>
      <span className={styles.spoken}>Ruler: {explained}</span>
      {marksOf(scale).map((mark) => (
        <span
          key={mark}
          className={styles.mark}
          aria-hidden="true"
          data-first={mark === scale.from ? '' : undefined}
          style={{ left: RULER_SIDE + placeOn(scale, mark) * (RULER_WIDTH - 2 * RULER_SIDE) }}
        >
          {labelOf(mark, scale)}
        </span>
      ))}
    </span>
  )
}

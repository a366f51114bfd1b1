import type { TransactionSummary } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { describeError } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import {
  Link,
  Num,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  toast,
  Tr,
  useRowKeys,
  useShortcut,
  VisibleText,
} from '../../../ui/index.ts'
import {
  changeOf,
  formatApdex,
  formatMisery,
  formatPerMinute,
  formatShare,
  isFailing,
  timeBefore,
  whyNoMisery,
} from '../model/change.ts'
import { compactTransaction, type PerformanceSearch, type TransactionSearch } from '../model/performance-search.ts'
import { directionOf, sortedBy } from '../model/shown.ts'
import { labelOf, marksOf, placeOn, type RulerScale, scaleFor } from '../model/ruler.ts'
import { transactionQuery } from '../queries.ts'
import { Ruler, RULER_SIDE, RULER_WIDTH } from './Ruler.tsx'
import styles from './TransactionTable.module.css'

const STACKS_BELOW = 760

interface TableProps {
  readonly org: string
  readonly search: PerformanceSearch
  readonly transactions: readonly TransactionSummary[]
  readonly apdexThreshold: number
  readonly isOutdated: boolean
  readonly onChange: (change: Partial<PerformanceSearch>) => void
}

export function TransactionTable({ org, search, transactions, apdexThreshold, isOutdated, onChange }: TableProps) {
  const scale = scaleFor(transactions)
  const { body, rowProps } = useTableKeys(org, search, transactions)
  const head = (column: Parameters<typeof sortedBy>[1], label: ReactNode, title?: string, className?: string) => (
    <Th
      numeric={column !== 'transaction'}
      title={title}
      className={cx(styles.tight, className)}
      sort={{
        direction: directionOf(search.sort, column),
        onSort: () => onChange({ sort: sortedBy(search.sort, column) }),
      }}
    >
      {label}
    </Th>
  )
  return (
    <Table
      caption="Transactions"
      stacksBelow={STACKS_BELOW}
      minWidth={STACKS_BELOW}
      className={cx(styles.box, isOutdated && styles.outdated)}
    >
      <Thead>
        {head('transaction', 'Transaction', undefined, styles.first)}
        {head('count', 'Count')}
        <Th numeric className={cx(styles.tight, styles.wide)}>
          Per min
        </Th>
        {head('failureRate', 'Failed')}
        <Th className={cx(styles.tight, styles.ruler)}>
          <RulerHead scale={scale} before={timeBefore(search)} />
        </Th>
        {head('p50', 'p50')}
        {head('p75', 'p75', undefined, styles.wide)}
        {head('p95', 'p95', `Change against ${timeBefore(search)}; grey below 20 on either side`)}
        {head('p99', 'p99')}
        {head('apdex', 'Apdex', `With a threshold of ${formatSpent(apdexThreshold)}`)}
        {head('userMisery', 'Misery', 'Share of users who waited more than four times the threshold', styles.wide)}
        {head('users', 'Users')}
        {head('total', 'Total', 'Time of all of them together', styles.wide)}
      </Thead>
      <Tbody ref={body}>
        {transactions.map((row, index) => (
          <TransactionRow
            key={`${row.projectId} ${row.op} ${row.transaction}`}
            org={org}
            search={search}
            row={row}
            scale={scale}
            {...rowProps(index)}
          />
        ))}
      </Tbody>
    </Table>
  )
}

/** The page of a transaction of the list, in the same environments and time. */
function pageOf(row: TransactionSummary, search: PerformanceSearch): TransactionSearch {
  const { query: _, sort: __, ...scope } = search
  return {
    ...scope,
    project: [row.projectId],
    transaction: row.transaction,
    ...(row.op !== '' && { op: row.op }),
  }
}

function useTableKeys(org: string, search: PerformanceSearch, transactions: readonly TransactionSummary[]) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const group = 'Transactions'
  const { current, ...keys } = useRowKeys({
    group,
    thing: 'transaction',
    count: transactions.length,
    open: (index) => {
      const row = transactions[index]
      if (row === undefined) return
      void navigate({
        to: '/organizations/$org/performance/summary',
        params: { org },
        search: compactTransaction(pageOf(row, search)),
      })
    },
  })
  const openSlowest = async (row: TransactionSummary): Promise<void> => {
    const { slowest } = await client.fetchQuery(transactionQuery(org, pageOf(row, search)))
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

function TransactionRow({
  org,
  search,
  row,
  scale,
  selected,
  onPointerDown,
}: {
  readonly org: string
  readonly search: PerformanceSearch
  readonly row: TransactionSummary
  readonly scale: RulerScale
  readonly selected: boolean
  readonly onPointerDown: () => void
}) {
  const change = changeOf(row.p95, row.before?.p95, Math.min(row.count, row.before?.count ?? 0))
  return (
    <Tr className={styles.row} selected={selected} onPointerDown={onPointerDown}>
      <Td className={cx(styles.tight, styles.name)}>
        <Link
          look="plain"
          className={styles.link}
          to="/organizations/$org/performance/summary"
          params={{ org }}
          search={compactTransaction(pageOf(row, search))}
        >
          <span className={styles.transaction}>
            <VisibleText text={row.transaction || '(no name)'} />
          </span>
          <span className={styles.op}>
            <VisibleText text={row.op} /> {row.projectSlug}
          </span>
        </Link>
      </Td>
      <Td numeric className={cx(styles.tight, styles.count)}>
        <Num value={row.count} compact />
        <span className={styles.unit}> times</span>
      </Td>
      <Td numeric className={cx(styles.tight, styles.wide)}>
        {formatPerMinute(row.perMinute)}
      </Td>
      <Td numeric className={cx(styles.tight, isFailing(row.failureRate, row.count) && styles.bad)}>
        {formatShare(row.failureRate)}
        <span className={styles.unit}> failed</span>
      </Td>
      <Td className={cx(styles.tight, styles.ruler)}>
        <Ruler
          scale={scale}
          p50={row.p50}
          p95={row.p95}
          p99={row.p99}
          before={row.before?.p95}
          verdict={change?.verdict ?? 'same'}
        />
      </Td>
      <Td numeric className={cx(styles.tight, styles.other)}>
        {formatSpent(row.p50)}
      </Td>
      <Td numeric className={cx(styles.tight, styles.wide)}>
        {formatSpent(row.p75)}
      </Td>
      <Td numeric className={cx(styles.tight, styles.p95)}>
        <strong>{formatSpent(row.p95)}</strong>{' '}
        <span className={styles.change} data-verdict={change?.verdict}>
          {change === null ? 'new' : change.text}
        </span>
      </Td>
      <Td numeric className={cx(styles.tight, styles.other)}>
        {formatSpent(row.p99)}
      </Td>
      <Td numeric className={cx(styles.tight, styles.other)}>
        {formatApdex(row.apdex)}
      </Td>
      <Td numeric className={cx(styles.tight, styles.wide)} title={whyNoMisery(row.userMisery, row.users)}>
        {formatMisery(row.userMisery, row.users)}
      </Td>
      <Td numeric className={cx(styles.tight, styles.other)}>
        <Num value={row.users} compact />
      </Td>
      <Td numeric quiet className={cx(styles.tight, styles.wide)}>
        {formatSpent(row.total)}
      </Td>
    </Tr>
  )
}

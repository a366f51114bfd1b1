import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { Button, ErrorState, Panel, SkeletonRows } from '../../../ui/index.ts'
import { PerformanceFrame } from '../frame/index.ts'
import { timeBefore } from '../model/change.ts'
import { compactList, type PerformanceSearch } from '../model/performance-search.ts'
import { listFromUrl } from '../model/shown.ts'
import { transactionsQuery } from '../queries.ts'
import { NoTransactions } from './NoTransactions.tsx'
import { TransactionTable } from './TransactionTable.tsx'
import styles from './PerformanceScreen.module.css'

type Change = (change: Partial<PerformanceSearch>) => void

/** All transactions: how often, how slow, how many failed, and what has moved. */
export function PerformanceScreen() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/performance' })
  const url = useSearch({ from: '/signed-in/organizations/$org/performance' })
  const search = listFromUrl(url)
  const navigate = useNavigate()
  usePageTitle('Performance')
  const change: Change = (part) => {
    void navigate({
      to: '/organizations/$org/performance',
      params: { org },
      search: compactList({ ...search, ...part }),
      replace: true,
    })
  }
  return (
    <PerformanceFrame
      org={org}
      place="transactions"
      search={search}
      onScope={change}
      find={{
        label: 'Search transactions',
        placeholder: 'Part of the name',
        value: search.query,
        onSearch: (query) => change({ query }),
      }}
      done="Show transactions"
    >
      <Transactions org={org} search={search} onChange={change} />
    </PerformanceFrame>
  )
}

function Transactions({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: PerformanceSearch
  readonly onChange: Change
}) {
  const query = useInfiniteQuery(transactionsQuery(org, search))
  const { data } = query
  if (data === undefined) {
    return query.isError ? (
      <ErrorState
        title="The transactions could not be loaded"
        {...describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <SkeletonRows rows={14} label="Loading the transactions" />
    )
  }
  const transactions = data.pages.flatMap((page) => page.data.transactions)
  if (transactions.length === 0) return <NoTransactions org={org} search={search} onChange={onChange} />
  return (
    <Panel content="rows">
      <p className={styles.legend}>
        <span>
          Ring p50, bar to p95, whisker p99. Changes and arrows: p95 against <strong>{timeBefore(search)}</strong>
        </span>
      </p>
      <TransactionTable
        org={org}
        search={search}
        transactions={transactions}
        apdexThreshold={data.pages[0]?.data.apdexThreshold ?? 0}
        isOutdated={query.isPlaceholderData}
        onChange={onChange}
      />
      {query.hasNextPage ? (
        <div className={styles.more}>
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </Panel>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { usePageTitle } from '../../../lib/page-title.ts'
import { Panel, ShowMore } from '../../../ui/index.ts'
import { FoundRows, PerformanceFrame } from '../frame/index.ts'
import { timeBeforeText } from '../model/change.ts'
import { compactList, type PerformanceSearch } from '../model/performance-search.ts'
import { transactionsFromUrl } from '../model/shown.ts'
import { transactionsQuery } from '../queries.ts'
import { NoTransactions } from './NoTransactions.tsx'
import { SummaryCharts } from './SummaryCharts.tsx'
import { TransactionTable } from './TransactionTable.tsx'
import styles from './PerformanceScreen.module.css'

type Change = (change: Partial<PerformanceSearch>) => void

/** All transactions: how often, how slow, how many failed, and what has moved. */
export function PerformanceScreen() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/performance' })
  const url = useSearch({ from: '/signed-in/organizations/$org/performance' })
  const search = transactionsFromUrl(url)
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
  return (
    <FoundRows
      query={query}
      things="transactions"
      rowsOf={(page) => page.data.transactions}
      none={<NoTransactions org={org} search={search} onChange={onChange} />}
    >
      {(transactions, { data: { apdexThreshold } }) => (
        <>
          {/* They are of all, whatever is looked for. */}
          {search.query !== '' ? null : (
            <SummaryCharts org={org} search={search} apdexThreshold={apdexThreshold} onChange={onChange} />
          )}
          <Panel content="rows">
            <p className={styles.legend}>
              <span>
                Ring p50, bar to p95, whisker p99. Changes and arrows: p95 against{' '}
                <strong>{timeBeforeText(search)}</strong>
              </span>
            </p>
            <TransactionTable
              org={org}
              search={search}
              transactions={transactions}
              apdexThreshold={apdexThreshold}
              isOutdated={query.isPlaceholderData}
              onChange={onChange}
            />
            <ShowMore query={query} />
          </Panel>
        </>
      )}
    </FoundRows>
  )
}

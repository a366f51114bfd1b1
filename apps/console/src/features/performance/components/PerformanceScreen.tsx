import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import {
  Button,
  ErrorState,
  FilterSheet,
  Input,
  PageBody,
  PageHeader,
  Panel,
  SearchIcon,
  SkeletonRows,
} from '../../../ui/index.ts'
import { ScopeFilters } from '../../issues/index.ts'
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
    <>
      <PageHeader title="Performance">
        <div className={styles.filters}>
          <ScopeFilters org={org} search={search} onChange={change} />
        </div>
        <FilterSheet
          active={Number(search.project.length > 0) + Number(search.environment.length > 0)}
          done="Show transactions"
          className={styles.sheetButton}
        >
          <ScopeFilters org={org} search={search} onChange={change} />
        </FilterSheet>
        <SearchField value={search.query} onSearch={(query) => change({ query })} />
      </PageHeader>
      <PageBody>
        <Transactions org={org} search={search} onChange={change} />
      </PageBody>
    </>
  )
}

const SEARCH_AFTER_MS = 250

/** Searches while one types, once one pauses. */
function SearchField({ value, onSearch }: { readonly value: string; readonly onSearch: (query: string) => void }) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // Somebody went back, or cleared the filters: the field follows the address.
  if (known !== value) {
    setKnown(value)
    setText(value)
  }
  useEffect(() => {
    if (text.trim() === value) return undefined
    const timer = setTimeout(() => onSearch(text.trim()), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  })
  return (
    <div className={styles.search} role="search">
      <Input
        icon={SearchIcon}
        aria-label="Search transactions"
        placeholder="Part of the name"
        value={text}
        onValueChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSearch(text.trim())
        }}
      />
    </div>
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

import { ApiError } from '@firsthand/contract'
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { Panel, ShowMore } from '../../../ui/index.ts'
import { TellMe } from '../../alerts/links/index.ts'
import { ExportMenu } from '../../explore/export/index.ts'
import { completionsOf } from '../../search/attributes/index.ts'
import { SearchBar } from '../../search/index.ts'
import { FoundRows, PerformanceFrame } from '../frame/index.ts'
import { timeBeforeText } from '../model/change.ts'
import { compactList, type PerformanceSearch } from '../model/performance-search.ts'
import { transactionsFromUrl } from '../model/shown.ts'
import { TRANSACTION_KEYS } from '../model/keys.ts'
import { activeValueFilters, VALUE_FILTERS } from '../model/value-filters.ts'
import { transactionsFile, type TransactionsPage, transactionsQuery } from '../queries.ts'
import { NoTransactions } from './NoTransactions.tsx'
import { SummaryCharts } from './SummaryCharts.tsx'
import { TransactionTable } from './TransactionTable.tsx'
import { ValueFilter } from './ValueFilter.tsx'

const COMPLETIONS = completionsOf('spans')

type Change = (change: Partial<PerformanceSearch>) => void

/** All transactions: how often, how slow, how many failed, and what has moved. */
export function PerformanceScreen() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/performance' })
  const url = useSearch({ from: '/signed-in/organizations/$org/performance' })
  const search = transactionsFromUrl(url)
  const navigate = useNavigate()
  usePageTitle('Performance')
  const query = useInfiniteQuery(transactionsQuery(org, search))
  /** Why the server refuses the search. */
  const refusal =
    query.error instanceof ApiError && query.error.status === 400 ? describeError(query.error).detail : undefined
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
      searchBar={
        <SearchBar
          label="Search transactions"
          hint="part of a name, attribute:value …"
          value={search.query}
          onSearch={(query) => change({ query })}
          keys={TRANSACTION_KEYS}
          scope={{ org, project: search.project }}
          completions={COMPLETIONS}
          refusal={refusal}
        />
      }
      further={{
        active: activeValueFilters(search.query),
        filters: VALUE_FILTERS.map((filter) => (
          <ValueFilter key={filter.field} org={org} search={search} onChange={change} {...filter} />
        )),
      }}
      done="Show transactions"
    >
      <Transactions org={org} search={search} query={query} onChange={change} />
    </PerformanceFrame>
  )
}

function Transactions({
  org,
  search,
  query,
  onChange,
}: {
  readonly org: string
  readonly search: PerformanceSearch
  readonly query: UseInfiniteQueryResult<InfiniteData<TransactionsPage>>
  readonly onChange: Change
}) {
  return (
    <FoundRows
      query={query}
      things="transactions"
      rowsOf={(page) => page.data.transactions}
      none={<NoTransactions org={org} search={search} onChange={onChange} />}
    >
      {(transactions, { data: { apdexThreshold } }) => (
        <>
          <SummaryCharts org={org} search={search} apdexThreshold={apdexThreshold} onChange={onChange} />
          <Panel
            content="rows"
            title="Transactions"
            subtitle={`Ring p50, bar to p95, whisker p99. Changes and arrows: p95 against ${timeBeforeText(search)}`}
            actions={
              <>
                <TellMe org={org} group="Performance" about={alertOf(search)} />
                <ExportMenu things="transactions" addressOf={transactionsFile(org, search)} />
              </>
            }
          >
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

/** What an alert would watch: how long each of the transactions takes. */
function alertOf({ environment, project, query }: PerformanceSearch) {
  return {
    source: 'measured',
    dataset: 'spans',
    aggregate: 'p95(span.duration)',
    group: ['transaction'],
    query: `is_transaction:true ${query}`.trim(),
    project,
    environment,
  }
}

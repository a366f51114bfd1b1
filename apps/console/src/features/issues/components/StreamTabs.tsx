import { useQuery } from '@tanstack/react-query'

import { LinkTab, LinkTabs, Num } from '../../../ui/index.ts'
import { COUNTED_ISSUES } from '@firsthand/contract'
import { type StreamSearch, compactUrl } from '../model/stream-search.ts'
import { TABS, activeTab, withTab } from '../model/stream-tabs.ts'
import { tabCountsQuery } from '../tab-counts.ts'

/** The usual questions as links, each with its number under the filters in force. */
export function StreamTabs({ org, search }: { readonly org: string; readonly search: StreamSearch }) {
  const { data: counts } = useQuery(tabCountsQuery(org, search))
  const active = activeTab(search.query)
  return (
    <LinkTabs aria-label="States" current={active?.id ?? ''}>
      {TABS.map((tab) => (
        <LinkTab
          key={tab.id}
          isCurrent={tab === active}
          to="/organizations/$org/issues"
          params={{ org }}
          search={compactUrl({ ...search, query: withTab(search.query, tab) })}
          {...(counts?.has(tab.id) === true && { count: <Count count={counts.get(tab.id)} /> })}
        >
          {tab.label}
        </LinkTab>
      ))}
    </LinkTabs>
  )
}

function Count({ count }: { readonly count: number | undefined }) {
  return (
    <>
      <Num value={count} />
      {count === COUNTED_ISSUES ? '+' : ''}
    </>
  )
}

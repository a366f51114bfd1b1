import { LinkTab, LinkTabs } from '../../../ui/index.ts'
import type { ScopeSearch } from '../../issues/model/index.ts'
import { clicksOf, compactClicks, compactReplays, replaysOf, type ReplaysSearch } from '../model/list-search.ts'
import { activeTab, TABS, withTab } from './choices.ts'

const scopeOf = ({ statsPeriod, start, end, utc, project, environment }: ScopeSearch): ScopeSearch => ({
  statsPeriod,
  start,
  end,
  utc,
  project,
  environment,
})

/** The usual questions as links, and at the end what was clicked in all of them. */
export function ReplayTabs({
  org,
  search,
}: {
  readonly org: string
  /** Without a query on the page of clicks. */
  readonly search: ScopeSearch & Partial<Pick<ReplaysSearch, 'query' | 'sort'>>
}) {
  const { query } = search
  const active = query === undefined ? null : activeTab(query)
  const list = { ...replaysOf({}), ...(query === undefined ? scopeOf(search) : search) }
  return (
    <LinkTabs aria-label="Which replays" current={active?.label ?? ''}>
      {TABS.map((tab) => (
        <LinkTab
          key={tab.label}
          isCurrent={tab === active}
          to="/organizations/$org/replays"
          params={{ org }}
          search={compactReplays({ ...list, query: withTab(query ?? '', tab) })}
        >
          {tab.label}
        </LinkTab>
      ))}
      <LinkTab
        isCurrent={query === undefined}
        isApart
        to="/organizations/$org/replays/clicks"
        params={{ org }}
        search={compactClicks({ ...clicksOf({}), ...scopeOf(search) })}
      >
        Clicked in vain
      </LinkTab>
    </LinkTabs>
  )
}

import { useRef } from 'react'

import { cx } from '../../../lib/cx.ts'
import { useInSight } from '../../../lib/use-in-sight.ts'
import { Link } from '../../../ui/index.ts'
import type { ScopeSearch } from '../../issues/model/index.ts'
import { clicksOf, compactClicks, compactReplays, replaysOf, type ReplaysSearch } from '../model/list-search.ts'
import { activeTab, TABS, withTab } from './choices.ts'
import styles from './ReplayTabs.module.css'

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
  const row = useRef<HTMLElement>(null)
  useInSight(row, active?.label ?? '')
  const list = { ...replaysOf({}), ...(query === undefined ? scopeOf(search) : search) }
  return (
    <nav ref={row} aria-label="Which replays" className={styles.tabs}>
      {TABS.map((tab) => (
        <Link
          key={tab.label}
          look="plain"
          className={cx(styles.tab, tab === active && styles.active)}
          to="/organizations/$org/replays"
          params={{ org }}
          search={compactReplays({ ...list, query: withTab(query ?? '', tab) })}
          activeOptions={{ exact: true }}
          aria-current={tab === active ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
      <Link
        look="plain"
        className={cx(styles.tab, styles.apart, query === undefined && styles.active)}
        to="/organizations/$org/replays/clicks"
        params={{ org }}
        search={compactClicks({ ...clicksOf({}), ...scopeOf(search) })}
        aria-current={query === undefined ? 'page' : undefined}
      >
        Clicked in vain
      </Link>
    </nav>
  )
}

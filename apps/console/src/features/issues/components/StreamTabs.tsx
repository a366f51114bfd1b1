import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'

import { cx } from '../../../lib/cx.ts'
import { useInSight } from '../../../lib/use-in-sight.ts'
import { Link, Num } from '../../../ui/index.ts'
import { COUNTED_ISSUES } from '@firsthand/contract'
import { type StreamSearch, compactUrl } from '../model/stream-search.ts'
import { TABS, activeTab, withTab } from '../model/stream-tabs.ts'
import { tabCountsQuery } from '../tab-counts.ts'
import styles from './StreamTabs.module.css'

/** The usual questions as links, each with its number under the filters in force. */
export function StreamTabs({ org, search }: { readonly org: string; readonly search: StreamSearch }) {
  const { data: counts } = useQuery(tabCountsQuery(org, search))
  const active = activeTab(search.query)
  const row = useRef<HTMLElement>(null)
  useInSight(row, active?.id ?? '')
  return (
    <nav ref={row} aria-label="States" className={styles.tabs}>
      {TABS.map((tab) => (
        <Link
          key={tab.id}
          look="plain"
          className={cx(styles.tab, tab === active && styles.active)}
          to="/organizations/$org/issues"
          params={{ org }}
          search={compactUrl({ ...search, query: withTab(search.query, tab) })}
          activeOptions={{ exact: true }}
          aria-current={tab === active ? 'page' : undefined}
        >
          {tab.label}
          {counts?.get(tab.id) === undefined ? null : (
            <span className={styles.count}>
              <Num value={counts.get(tab.id)} />
              {counts.get(tab.id) === COUNTED_ISSUES ? '+' : ''}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'

import { Link, Num } from '../../../ui/index.ts'
import type { ScopeSearch } from '../../issues/model/index.ts'
import type { ClicksColumn } from '../model/list-search.ts'
import { elementPage } from './element-page.ts'
import { ElementTitle } from './ElementTitle.tsx'
import { clickedElementsQuery } from './queries.ts'
import styles from './MostClicked.module.css'

const SHOWN = 4

/** Beside the list, where there is room: what was clicked in anger and in vain most often. */
export function MostClicked({ org, search }: { readonly org: string; readonly search: ScopeSearch }) {
  return (
    <aside className={styles.column} aria-label="Clicked in vain">
      <Elements org={org} search={search} by="count_rage_clicks" title="Most rage clicked" />
      <Elements org={org} search={search} by="count_dead_clicks" title="Most dead clicked" />
    </aside>
  )
}

function Elements({
  org,
  search,
  by,
  title,
}: {
  readonly org: string
  readonly search: ScopeSearch
  readonly by: ClicksColumn
  readonly title: string
}) {
  const { data } = useInfiniteQuery(clickedElementsQuery(org, search, `-${by}`))
  const elements = data?.pages[0]?.data.data.filter((element) => element[by] > 0).slice(0, SHOWN) ?? []
  const [first] = elements
  if (first === undefined) return null
  return (
    <section className={styles.part} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul>
        {elements.map((element) => (
          <li key={`${element.project_id} ${element.dom_element}`}>
            <Link
              look="plain"
              className={styles.element}
              to="/organizations/$org/replays"
              params={{ org }}
              search={elementPage(search, element, by)}
              activeOptions={{ exact: true }}
            >
              <ElementTitle className={styles.selector} element={element} />
              <Num value={element[by]} />
              <span className={styles.track}>
                <span className={styles.bar} style={{ width: `${(element[by] / first[by]) * 100}%` }} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

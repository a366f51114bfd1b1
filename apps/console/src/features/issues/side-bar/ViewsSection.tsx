import { COUNTED_ISSUES, type SavedSearch } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { SideBarCount, SideBarLabel, sideBarLink, SideBarSection } from '../../../shell/side-bar.tsx'
import { BookmarkIcon, Link, UsersIcon } from '../../../ui/index.ts'
import { compactUrl } from '../model/stream-search.ts'
import { keptOf, savedSearchesQuery } from '../saved-searches.ts'
import { searchOfView, viewCountsQuery } from './view-counts.ts'

/** Saved searches named in the side bar; the others are found in the list of issues and with ⌘K. */
const MAX_VIEWS = 12

/** One's own saved searches and those that all share, each with how many issues it finds now. */
export function ViewsSection() {
  const { org } = useParams({ from: '/signed-in/organizations/$org' })
  const { data: saved = [] } = useQuery(savedSearchesQuery(org))
  const views = saved
    // One that finds what Issues does is that entry, and would be lit together with it.
    .filter((view) => Object.keys(compactUrl(searchOfView(keptOf(view)))).length > 0)
    .toSorted((a, b) => Number(isShared(a)) - Number(isShared(b)))
    .slice(0, MAX_VIEWS)
  const { data: counts, isError } = useQuery({
    ...viewCountsQuery(
      org,
      views.map(({ query }) => query),
    ),
    enabled: views.length > 0,
  })
  if (views.length === 0) return null
  return (
    <SideBarSection label="Views" action={null}>
      {views.map((view) => (
        <li key={view.id}>
          <Link
            look="plain"
            className={sideBarLink}
            to="/organizations/$org/issues"
            params={{ org }}
            search={compactUrl(searchOfView(keptOf(view)))}
            activeOptions={{ exact: true, includeSearch: true }}
            title={isShared(view) ? `${view.name} (shared)` : view.name}
          >
            <SideBarLabel icon={isShared(view) ? UsersIcon : BookmarkIcon}>{view.name}</SideBarLabel>
            <SideBarCount
              count={counts?.[view.query] ?? null}
              of="issues"
              upTo={COUNTED_ISSUES}
              isUnknown={isError || counts?.[view.query] === null}
            />
          </Link>
        </li>
      ))}
    </SideBarSection>
  )
}

function isShared({ visibility }: SavedSearch): boolean {
  return visibility !== 'owner'
}

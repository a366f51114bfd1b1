import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { Button, EmptyState, ErrorState, Panel, SearchIcon, SkeletonRows } from '../../../ui/index.ts'
import type { ScopeSearch } from '../../issues/model/index.ts'
import { PerformanceFrame } from '../../performance/frame/index.ts'
import { compactList, DEFAULT_PERIOD, DEFAULT_SORT } from '../../performance/model/performance-search.ts'
import { profilesQuery } from '../queries.ts'
import { ProfileTable } from './ProfileTable.tsx'
import styles from './ProfilesScreen.module.css'

const FROM = '/signed-in/organizations/$org/profiles'

/** All profiles, the latest first. */
export function ProfilesScreen() {
  const { org } = useParams({ from: FROM })
  const { query: _, sort: __, ...url } = useSearch({ from: FROM })
  const search: ScopeSearch = { statsPeriod: DEFAULT_PERIOD, project: [], environment: [], ...url }
  const navigate = useNavigate()
  usePageTitle('Profiles')
  const change = (part: Partial<ScopeSearch>): void => {
    void navigate({
      to: '/organizations/$org/profiles',
      params: { org },
      search: compactList({ ...search, ...part, query: '', sort: DEFAULT_SORT }),
      replace: true,
    })
  }
  return (
    <PerformanceFrame org={org} place="profiles" search={search} onScope={change} done="Show profiles">
      <Profiles org={org} search={search} />
    </PerformanceFrame>
  )
}

function Profiles({ org, search }: { readonly org: string; readonly search: ScopeSearch }) {
  const query = useInfiniteQuery(profilesQuery(org, search))
  const { data } = query
  if (data === undefined) {
    return query.isError ? (
      <ErrorState
        title="The profiles could not be loaded"
        {...describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <SkeletonRows rows={14} label="Loading the profiles" />
    )
  }
  const profiles = data.pages.flatMap((page) => page.data)
  if (profiles.length === 0) {
    return (
      <EmptyState icon={SearchIcon} title="No profile in this time">
        No profile was received in these projects, environments and this time. SDKs send them once profiling is switched
        on, for example with <code>profileSessionSampleRate</code>.
      </EmptyState>
    )
  }
  return (
    <Panel content="rows">
      <ProfileTable org={org} profiles={profiles} />
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

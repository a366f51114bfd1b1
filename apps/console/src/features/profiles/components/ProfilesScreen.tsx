import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { usePageTitle } from '../../../lib/page-title.ts'
import { EmptyState, Panel, SearchIcon, ShowMore } from '../../../ui/index.ts'
import { ExportMenu } from '../../explore/export/index.ts'
import { WiderPeriod } from '../../issues/index.ts'
import { type ScopeSearch, wholeScope } from '../../issues/model/index.ts'
import { FoundRows, PerformanceFrame } from '../../performance/frame/index.ts'
import { compactList, DEFAULT_PERIOD, DEFAULT_SORT } from '../../performance/model/performance-search.ts'
import { profilesFile, profilesQuery } from '../queries.ts'
import { ProfileTable } from './ProfileTable.tsx'

const FROM = '/signed-in/organizations/$org/profiles'

/** All profiles, the latest first. */
export function ProfilesScreen() {
  const { org } = useParams({ from: FROM })
  const { query: _, sort: __, ...url } = useSearch({ from: FROM })
  const search: ScopeSearch = { ...wholeScope(DEFAULT_PERIOD), ...url }
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
      <Profiles org={org} search={search} onChange={change} />
    </PerformanceFrame>
  )
}

function Profiles({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: ScopeSearch
  readonly onChange: (part: Partial<ScopeSearch>) => void
}) {
  const query = useInfiniteQuery(profilesQuery(org, search))
  return (
    <FoundRows
      query={query}
      things="profiles"
      rowsOf={(page) => page.data}
      none={
        <EmptyState
          icon={SearchIcon}
          title="No profile in this time"
          action={<WiderPeriod search={search} onChange={onChange} />}
        >
          No profile was received in these projects, environments and this time. SDKs send them once profiling is
          switched on, for example with <code>profileSessionSampleRate</code>.
        </EmptyState>
      }
    >
      {(profiles) => (
        <Panel
          content="rows"
          title="Profiles"
          subtitle="latest first"
          actions={<ExportMenu things="profiles" addressOf={profilesFile(org, search)} />}
        >
          <ProfileTable org={org} profiles={profiles} />
          <ShowMore query={query} />
        </Panel>
      )}
    </FoundRows>
  )
}

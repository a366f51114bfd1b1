import { useQuery } from '@tanstack/react-query'

import { projectsQuery } from '../../../lib/shared-queries.ts'
import { Button, ButtonLink, CloseIcon, EmptyState, IssuesIcon, OkIcon, SearchIcon } from '../../../ui/index.ts'
import { DEFAULT_SEARCH, type StreamSearch, activeTab, narrowings } from '../model/stream-search.ts'
import styles from './NothingHere.module.css'

/** An empty list says why: nothing was ever sent, everything is done, or the search is too narrow. */
export function NothingHere({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: StreamSearch
  readonly onChange: (change: Partial<StreamSearch>) => void
}) {
  const { data: projects } = useQuery(projectsQuery(org))
  const shown = projects?.filter((project) => search.project.length === 0 || search.project.includes(project.id)) ?? []
  const silent = shown.filter((project) => project.firstEvent === null)
  const first = silent[0]
  if (projects?.length === 0) {
    return (
      <EmptyState
        icon={IssuesIcon}
        title="There is no project yet"
        action={
          <ButtonLink variant="primary" to="/organizations/$org/projects/new" params={{ org }}>
            Create a project
          </ButtonLink>
        }
      >
        A project receives the errors of one application and gives you the DSN for its SDK.
      </EmptyState>
    )
  }
  if (first !== undefined && silent.length === shown.length) {
    return (
      <EmptyState
        icon={IssuesIcon}
        title={`${first.name} has not sent an event yet`}
        action={
          <ButtonLink
            variant="primary"
            to="/organizations/$org/projects/$project/getting-started"
            params={{ org, project: first.slug }}
          >
            Set up {first.name}
          </ButtonLink>
        }
      >
        Point a Sentry SDK at this project’s DSN. The first error appears here within a second.
      </EmptyState>
    )
  }
  const isDefault =
    search.query === DEFAULT_SEARCH.query && search.project.length === 0 && search.environment.length === 0
  if (isDefault && search.statsPeriod === DEFAULT_SEARCH.statsPeriod) {
    return (
      <EmptyState icon={OkIcon} title="Nothing is unresolved">
        No open issue had an event in the last 14 days. New ones appear here by themselves.
      </EmptyState>
    )
  }
  const tab = activeTab(search.query)
  return (
    <EmptyState icon={SearchIcon} title={tab === null ? 'No issue matches' : `No issue matches under ${tab.label}`}>
      <p>Try it without one of these:</p>
      <div className={styles.choices}>
        {narrowings(search).map((narrowing) => (
          <Button key={narrowing.label} size="small" icon={CloseIcon} onClick={() => onChange(narrowing.without)}>
            <span className={styles.words}>{narrowing.label}</span>
          </Button>
        ))}
      </div>
    </EmptyState>
  )
}

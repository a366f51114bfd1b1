import { useQuery } from '@tanstack/react-query'

import { projectsQuery } from '../../../lib/shared-queries.ts'
import { Button, ButtonLink, CloseIcon, EmptyState, IssuesIcon, OkIcon, SearchIcon } from '../../../ui/index.ts'
import { meantReleases } from '../model/short-releases.ts'
import { type Narrowing, narrowings } from '../model/stream-choices.ts'
import { DEFAULT_SEARCH, type StreamSearch } from '../model/stream-search.ts'
import { activeTab, withTab } from '../model/stream-tabs.ts'
import styles from './NothingHere.module.css'

/** What it means that a tab holds nothing, where nothing else narrows it. */
const MEANINGS: ReadonlyMap<string, { readonly title: string; readonly text: string }> = new Map([
  [
    'regressed',
    {
      title: 'Nothing has come back',
      text: 'An issue regresses when it was resolved and happens again. It then appears here and under Unresolved.',
    },
  ],
  [
    'escalating',
    {
      title: 'Nothing is escalating',
      text: 'An archived issue that suddenly happens far more often than before appears here and under Unresolved.',
    },
  ],
  [
    'archived',
    {
      title: 'Nothing is archived',
      text: 'Archive an issue (i) that you do not want to see for now: forever, for a while, or until it happens more often.',
    },
  ],
])

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
        title="No projects yet"
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
  if (isDefault && search.start === undefined && search.statsPeriod === DEFAULT_SEARCH.statsPeriod) {
    return (
      <EmptyState icon={OkIcon} title="No unresolved issues">
        No open issue had an event in the last 14 days. New ones appear here automatically.
      </EmptyState>
    )
  }
  const tab = activeTab(search.query)
  const meaning = tab === null ? undefined : MEANINGS.get(tab.id)
  if (tab !== null && meaning !== undefined && search.query === withTab('', tab)) {
    const isPart = search.project.length > 0 || search.environment.length > 0
    return (
      <EmptyState icon={OkIcon} title={`${meaning.title}${isPart ? ' here' : ''}`}>
        <p>{meaning.text}</p>
        <Choices
          lead="Look without one of these:"
          narrowings={narrowings(search).filter(({ without }) => without.query === search.query)}
          onChange={onChange}
        />
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={SearchIcon} title={tab === null ? 'No issue matches' : `No issue matches under ${tab.label}`}>
      <WholeNames query={search.query} onChange={onChange} />
      <Choices lead="Try it without one of these:" narrowings={narrowings(search)} onChange={onChange} />
    </EmptyState>
  )
}

/** Releases are searched by the name that is sent; screens write its version alone. */
function WholeNames({
  query,
  onChange,
}: {
  readonly query: string
  readonly onChange: (change: Partial<StreamSearch>) => void
}) {
  const meant = meantReleases(query)
  if (meant === null) return null
  return (
    <>
      <p className={styles.lead}>The name of a release has its package, as in shop@1.2.0. By the version alone:</p>
      <div className={styles.choices}>
        <Button size="small" icon={SearchIcon} onClick={() => onChange({ query: meant })}>
          <span className={styles.words}>{meant}</span>
        </Button>
      </div>
    </>
  )
}

/** What could be left out, one by one. */
function Choices({
  lead,
  narrowings: offered,
  onChange,
}: {
  readonly lead: string
  readonly narrowings: readonly Narrowing[]
  readonly onChange: (change: Partial<StreamSearch>) => void
}) {
  if (offered.length === 0) return null
  return (
    <>
      <p className={styles.lead}>{lead}</p>
      <div className={styles.choices}>
        {offered.map((narrowing) => (
          <Button key={narrowing.label} size="small" icon={CloseIcon} onClick={() => onChange(narrowing.without)}>
            <span className={styles.words}>{narrowing.label}</span>
          </Button>
        ))}
      </div>
    </>
  )
}

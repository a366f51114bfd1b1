import type { PersonDetail } from '@firsthand/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import {
  Avatar,
  Button,
  ButtonLink,
  EmptyState,
  ErrorState,
  lazyPart,
  Link,
  LinkTab,
  LinkTabs,
  Num,
  Outline,
  ShowMore,
  SkeletonRows,
  TrashIcon,
  UsersIcon,
} from '../../../ui/index.ts'
import { PeriodSelect } from '../../issues/index.ts'
import { ErasureNotice } from '../erasure/ErasureNotice.tsx'
import { type PersonSearch, type PersonTab, personOfUrl, personUrl, readPersonUrl } from '../model/person-search.ts'
import { type ReplayEntry, rowsOf, visitsOf } from '../model/visits.ts'
import { entriesQuery, personQuery } from '../queries.ts'
import { PersonAside } from './PersonAside.tsx'
import { PeopleFinder } from './PeopleFinder.tsx'
import { Visits } from './Visits.tsx'
import { WriteTo } from './WriteTo.tsx'
import styles from './PersonScreen.module.css'

const ErasePerson = lazyPart(async () => (await import('../erasure/ErasePerson.tsx')).ErasePerson)
const DeleteVisitor = lazyPart(async () => (await import('../../replays/keeping/index.ts')).DeleteVisitor)

/** All that one person ran into and said, newest first. */
export function PersonScreen() {
  const { org = '' } = useParams({ strict: false })
  const raw = useSearch({ strict: false })
  const search = personOfUrl(readPersonUrl(raw))
  const navigate = useNavigate()
  const person = useQuery({ ...personQuery(org, search), enabled: search.user !== '' })
  usePageTitle(person.data === undefined ? 'Person' : nameOf(person.data))
  const change = (part: Partial<PersonSearch>): void =>
    void navigate({
      to: '/organizations/$org/people',
      params: { org },
      search: personUrl({ ...search, ...part }),
      replace: true,
    })
  if (search.user === '') {
    return <PeopleFinder org={org} />
  }
  if (person.data === undefined) {
    if (person.error !== null) {
      return (
        <ErrorState
          page
          title="The person could not be loaded"
          {...describeError(person.error)}
          onRetry={() => void person.refetch()}
        />
      )
    }
    return (
      <Outline label="Loading the person" className={styles.screen}>
        <SkeletonRows rows={12} />
      </Outline>
    )
  }
  return <Person key={search.user} org={org} search={search} detail={person.data} onChange={change} />
}

/** What they are called, by the best that is known. */
function nameOf({ name, email, user }: PersonDetail): string {
  return plainVisible(name || email || (user.startsWith('ip:') ? `Somebody at ${user.slice(3)}` : user))
}

function Person({
  org,
  search,
  detail,
  onChange,
}: {
  readonly org: string
  readonly search: PersonSearch
  readonly detail: PersonDetail
  readonly onChange: (part: Partial<PersonSearch>) => void
}) {
  const query = useInfiniteQuery(entriesQuery(org, search))
  const entries = query.data?.pages.flatMap((page) => page.data)
  const newestReplay = entries?.find((entry) => entry.kind === 'replay')
  return (
    <div className={styles.screen}>
      <Head org={org} search={search} detail={detail} replay={newestReplay} onChange={onChange} />
      <div className={styles.columns}>
        <section className={styles.main} aria-label="What happened">
          {entries === undefined ? (
            query.error === null ? (
              <SkeletonRows rows={10} />
            ) : (
              <ErrorState
                title="What happened could not be loaded"
                {...describeError(query.error)}
                onRetry={() => void query.refetch()}
              />
            )
          ) : entries.length === 0 ? (
            <Nothing search={search} onChange={onChange} />
          ) : (
            <Visits org={org} rows={rowsOf(visitsOf(entries))} />
          )}
          <ShowMore query={query} />
        </section>
        <PersonAside org={org} detail={detail} />
      </div>
    </div>
  )
}

function Nothing({
  search,
  onChange,
}: {
  readonly search: PersonSearch
  readonly onChange: (part: Partial<PersonSearch>) => void
}) {
  if (search.tab !== 'all') {
    return (
      <EmptyState
        title="Nothing of this kind"
        action={<Button onClick={() => onChange({ tab: 'all' })}>Show everything</Button>}
      >
        {search.tab === 'told' ? 'We told them nothing in this time.' : 'In this time they have none.'}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={UsersIcon}
      title="Nothing is known of them in this time"
      action={
        <Button onClick={() => onChange({ statsPeriod: '90d', start: undefined, end: undefined })}>
          Look at the last 90 days
        </Button>
      }
    >
      No error, report, replay, transaction or log line names them.
    </EmptyState>
  )
}

/** In the words of a search for spans. */
function traceFilterOf(user: string): string {
  const at = user.indexOf(':')
  return `user.${user.slice(0, at)}:${JSON.stringify(user.slice(at + 1))}`
}

interface HeadProps {
  readonly org: string
  readonly search: PersonSearch
  readonly detail: PersonDetail
  readonly replay: ReplayEntry | undefined
  readonly onChange: (part: Partial<PersonSearch>) => void
}

function Head({ org, search, detail, replay, onChange }: HeadProps) {
  const [deleting, setDeleting] = useState(false)
  const [erasing, setErasing] = useState(false)
  const access = useAccess(org)
  const mayDelete = access('event:admin')
  const name = nameOf(detail)
  const { counts } = detail
  const said = counts.reports
  const all = counts.errors + said + counts.replays + counts.transactions + counts.logs + counts.told
  const tabs: readonly { readonly tab: PersonTab; readonly label: string; readonly count: number | null }[] = [
    { tab: 'all', label: 'Everything', count: all },
    { tab: 'error', label: 'Ran into', count: counts.errors },
    { tab: 'said', label: 'Said', count: said },
    { tab: 'told', label: 'Told by us', count: counts.told },
    { tab: 'replay', label: 'Replays', count: counts.replays },
    { tab: 'transaction', label: 'Pages and requests', count: counts.transactions },
    { tab: 'log', label: 'Log lines', count: counts.logs },
  ]
  return (
    <header className={styles.header}>
      <nav aria-label="Breadcrumb" className={styles.crumbs}>
        <Link look="quiet" to="/organizations/$org/people" params={{ org }}>
          People
        </Link>
        <span aria-hidden="true">/</span>
        <span aria-current="page">{name}</span>
      </nav>
      <div className={styles.top}>
        <Avatar name={name} size={32} />
        <div className={styles.who}>
          <h1>{name}</h1>
          <p>
            {[detail.email, detail.user]
              .filter((part) => part !== '' && part !== name)
              .map(plainVisible)
              .join(' · ')}
          </p>
        </div>
        <div className={styles.actions}>
          <PeriodSelect search={search} onChange={onChange} />
          <ButtonLink
            to="/organizations/$org/traces"
            params={{ org }}
            search={{ query: [traceFilterOf(detail.user)], statsPeriod: search.statsPeriod ?? '30d' }}
          >
            All their traces
          </ButtonLink>
          {counts.reports === 0 ? null : <WriteTo org={org} search={search} name={name} />}
          {mayDelete && replay !== undefined ? (
            <Button variant="ghost" icon={TrashIcon} onClick={() => setDeleting(true)}>
              Delete their replays …
            </Button>
          ) : null}
          {access('project:admin') ? (
            <Button variant="ghost" icon={TrashIcon} onClick={() => setErasing(true)}>
              Delete everything …
            </Button>
          ) : null}
        </div>
      </div>
      <ErasureNotice org={org} names={[detail.user, ...detail.alsoKnownAs, `email:${detail.email}`]} />
      <div className={styles.tabs}>
        <LinkTabs aria-label="What is shown of them" current={search.tab}>
          {tabs.map(({ tab, label, count }) => (
            <LinkTab
              key={tab}
              to="/organizations/$org/people"
              params={{ org }}
              search={personUrl({ ...search, tab })}
              isCurrent={search.tab === tab}
              count={count === null || count === 0 ? undefined : <Num value={count} compact />}
            >
              {label}
            </LinkTab>
          ))}
        </LinkTabs>
      </div>
      {erasing ? <ErasePerson org={org} user={detail.user} name={name} onClose={() => setErasing(false)} /> : null}
      {replay === undefined || !deleting ? null : (
        <DeleteVisitor
          replay={{ org, project: replay.project.id, replay: replay.id }}
          open
          onOpenChange={setDeleting}
          onDeleted={() => onChange({})}
        />
      )}
    </header>
  )
}

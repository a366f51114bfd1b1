import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'

import { usePageTitle } from '../../../lib/page-title.ts'
import {
  Button,
  EmptyState,
  Input,
  Kbd,
  Loaded,
  PageHeader,
  SearchIcon,
  SegmentedControl,
  ShowMore,
  SkeletonRows,
  useShortcut,
} from '../../../ui/index.ts'
import { ProjectsFilter } from '../../projects/index.ts'
import { compactReleases, fromReleasesUrl, type ReleasesSearch } from '../model/releases-search.ts'
import { releaseListQuery } from '../queries.ts'
import { NoReleases } from './NoReleases.tsx'
import { ReleaseTable } from './ReleaseTable.tsx'
import styles from './ReleasesScreen.module.css'

const FROM = '/signed-in/organizations/$org/releases'

/** What went out, newest first. */
export function ReleasesScreen() {
  usePageTitle('Releases')
  const { org } = useParams({ from: FROM })
  const search = fromReleasesUrl(useSearch({ from: FROM }))
  const navigate = useNavigate()
  const change = (part: Partial<ReleasesSearch>): void => {
    void navigate({
      to: '/organizations/$org/releases',
      params: { org },
      search: compactReleases({ ...search, ...part }),
      replace: true,
    })
  }
  return (
    <>
      <PageHeader title="Releases">
        <ProjectsFilter org={org} values={search.project} onChange={(project) => change({ project })} />
        <SegmentedControl
          aria-label="Which releases"
          value={search.status}
          options={[
            { value: 'open', label: 'Open' },
            { value: 'archived', label: 'Archived' },
            { value: 'all', label: 'All' },
          ]}
          onValueChange={(status) => change({ status })}
        />
        <VersionSearch value={search.query} onSearch={(query) => change({ query })} />
      </PageHeader>
      <List key={org} org={org} search={search} onClear={() => change({ query: '', project: [], status: 'open' })} />
    </>
  )
}

function VersionSearch({ value, onSearch }: { readonly value: string; readonly onSearch: (query: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  useShortcut('/', () => input.current?.focus(), { label: 'Search', group: 'Releases' })
  return (
    <Input
      ref={input}
      className={styles.search ?? ''}
      icon={SearchIcon}
      aria-label="Search releases"
      placeholder="Version"
      value={value}
      onValueChange={onSearch}
      trailing={<Kbd keys="/" />}
      onKeyDown={(event) => {
        if (event.key === 'Escape') input.current?.blur()
      }}
    />
  )
}

interface ListProps {
  readonly org: string
  readonly search: ReleasesSearch
  readonly onClear: () => void
}

function List({ org, search, onClear }: ListProps) {
  const list = useInfiniteQuery(releaseListQuery(org, search))
  const releases = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Loaded
      query={{ ...list, data: releases }}
      outline={<SkeletonRows rows={10} label="Loading the releases" />}
      failed="The releases could not be loaded"
    >
      {(all) =>
        all.length === 0 ? (
          <NoneShown org={org} search={search} onClear={onClear} />
        ) : (
          <>
            <ReleaseTable org={org} releases={all} project={search.project} />
            <ShowMore query={list} />
          </>
        )
      }
    </Loaded>
  )
}

function NoneShown({ org, search, onClear }: ListProps) {
  if (search.query === '' && search.project.length === 0 && search.status === 'open') return <NoReleases org={org} />
  return (
    <EmptyState icon={SearchIcon} title="No release matches" action={<Button onClick={onClear}>Clear filters</Button>}>
      A search finds a part of a version. Archived releases are listed apart from the others.
    </EmptyState>
  )
}

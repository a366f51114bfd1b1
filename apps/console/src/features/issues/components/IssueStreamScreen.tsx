import { ApiError } from '@firsthand/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { type Ref, useMemo, useRef } from 'react'

import { describeError } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { ErrorState, PageHeader, Spinner } from '../../../ui/index.ts'
import { TellMe } from '../../alerts/links/index.ts'
import { SearchBar } from '../../search/index.ts'
import { ISSUE_KEYS } from '../../search/model/index.ts'
import { type StreamSearch, fromUrl, readStreamUrl } from '../model/stream-search.ts'
import { streamChanges } from '../stream-changes.ts'
import { useStreamKeys } from '../stream-keys.ts'
import { useStreamRows } from '../stream-rows.ts'
import { type StreamWork, useStreamWork } from '../stream-work.ts'
import { NothingHere } from './NothingHere.tsx'
import { SavedSearches } from './SavedSearches.tsx'
import { StreamDialogs } from './StreamDialogs.tsx'
import { ScopeFilters, SortSelect, StreamFilterSheet } from './StreamFilters.tsx'
import { StreamSkeleton } from './StreamSkeleton.tsx'
import { StreamTable } from './StreamTable.tsx'
import { StreamTabs } from './StreamTabs.tsx'
import styles from './IssueStreamScreen.module.css'

export function IssueStreamScreen() {
  usePageTitle('Issues')
  const { org = '' } = useParams({ strict: false })
  const raw = useSearch({ strict: false })
  const url = JSON.stringify(readStreamUrl(raw))
  const search = useMemo(() => fromUrl(readStreamUrl(JSON.parse(url) as Record<string, unknown>)), [url])
  return <IssueStream key={org} org={org} search={search} />
}

function IssueStream({ org, search }: { readonly org: string; readonly search: StreamSearch }) {
  const top = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const work = useStreamWork(org, search)
  const changes = streamChanges(work)
  const rows = useStreamRows(work, top, table, head)
  useStreamKeys(work, changes, rows.move, table)
  return (
    <div className={styles.screen}>
      <StreamTop ref={top} work={work} />
      <StreamTable work={work} changes={changes} rows={rows} table={table} head={head} />
      <StreamState work={work} />
      <StreamDialogs work={work} changes={changes} move={rows.move} />
    </div>
  )
}

/** Why the server refuses the search, or null. */
function refusalOf({ stream }: StreamWork): string | null {
  return stream.error instanceof ApiError && stream.error.status === 400 ? describeError(stream.error).detail : null
}

/** Heading, search, filters and tabs; they stick to the top of the window. */
function StreamTop({ ref, work }: { readonly ref: Ref<HTMLDivElement>; readonly work: StreamWork }) {
  const { change, org, search } = work
  return (
    <div ref={ref} className={styles.top}>
      <PageHeader title="Issues">
        <div className={styles.filters}>
          <ScopeFilters org={org} search={search} onChange={change} />
        </div>
        <StreamFilterSheet org={org} search={search} onChange={change} />
        <div className={styles.search}>
          <SearchBar
            label="Search issues"
            value={search.query}
            onSearch={(query) => change({ query })}
            keys={ISSUE_KEYS}
            scope={{ org, project: search.project }}
            refusal={refusalOf(work) ?? undefined}
          />
          <SavedSearches work={work} />
          <TellMe
            org={org}
            group="Issues"
            about={{ query: search.query, project: search.project, environment: search.environment }}
          />
        </div>
        <div className={cx(styles.filters, styles.sort)}>
          <SortSelect search={search} onChange={change} />
        </div>
      </PageHeader>
      <StreamTabs org={org} search={search} />
    </div>
  )
}

/** What stands below the rows, or in their place: loading, failed, nothing, more, new ones. */
function StreamState({ work }: { readonly work: StreamWork }) {
  const { change, issues, org, search, stream } = work
  const isRefused = refusalOf(work) !== null
  return (
    <>
      {stream.state === 'loading' ? <StreamSkeleton /> : null}
      {stream.state === 'failed' && stream.error !== null ? (
        <ErrorState
          title={isRefused ? 'This search is not valid' : 'The issues could not be loaded'}
          {...describeError(stream.error)}
          onRetry={isRefused ? undefined : stream.retry}
        />
      ) : null}
      {stream.state === 'ready' && issues.length === 0 && !stream.isOutdated ? (
        <NothingHere org={org} search={search} onChange={change} />
      ) : null}
      {stream.loadsMore ? (
        <div className={styles.more}>
          <Spinner label="Loading more issues" />
        </div>
      ) : null}
      {stream.waiting > 0 ? (
        <button
          type="button"
          className={styles.pill}
          onClick={() => {
            globalThis.scrollTo({ top: 0 })
            stream.showWaiting()
          }}
        >
          {stream.waiting} new {stream.waiting === 1 ? 'issue' : 'issues'}
        </button>
      ) : null}
    </>
  )
}

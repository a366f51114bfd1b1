import { ApiError } from '@firsthand/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { type Ref, useCallback, useMemo, useRef, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import {
  AlertDialog,
  ErrorState,
  FloatBar,
  FloatBarButton,
  IconButton,
  Menu,
  MenuItem,
  MoreIcon,
  PageHeader,
  Select,
  SkeletonRows,
  Spinner,
  TrashIcon,
} from '../../../ui/index.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { ScopeBar } from '../../issues/index.ts'
import { SearchBar } from '../../search/index.ts'
import { DeleteMatching } from '../keeping/DeleteMatching.tsx'
import { DeleteVisitor } from '../keeping/DeleteVisitor.tsx'
import { DeletionProgress, type StartedDeletion } from '../keeping/DeletionProgress.tsx'
import { replaysKey } from '../query-keys.ts'
import { readReplaysUrl, replaysOf, type ReplaysSearch } from '../model/list-search.ts'
import { REPLAY_KEYS, SORTS } from './choices.ts'
import { useReplayListKeys } from './list-keys.ts'
import { useListRows } from './list-rows.ts'
import { type ListWork, useListWork } from './list-work.ts'
import { MostClicked } from './MostClicked.tsx'
import { NoReplays } from './NoReplays.tsx'
import { type ReadableReplays, REPLAY_COMPLETIONS } from './queries.ts'
import { ReplayTable } from './ReplayTable.tsx'
import { ReplayTabs } from './ReplayTabs.tsx'
import styles from './ReplaysScreen.module.css'

/** What visitors did, replay by replay. */
export function ReplaysScreen() {
  usePageTitle('Replays')
  const { org } = useParams({ from: '/signed-in/organizations/$org/replays' })
  const url = JSON.stringify(useSearch({ from: '/signed-in/organizations/$org/replays' }))
  const search = useMemo(() => replaysOf(readReplaysUrl(JSON.parse(url) as Record<string, unknown>)), [url])
  return <ReplayList key={org} org={org} search={search} />
}

function ReplayList({ org, search }: { readonly org: string; readonly search: ReplaysSearch }) {
  const [started, setStarted] = useState<StartedDeletion | null>(null)
  const top = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const work = useListWork(org, search)
  const { bringBack, letGo } = work
  const onStarted = (deletion: StartedDeletion): void => {
    letGo(deletion.projectId)
    setStarted(deletion)
  }
  const onEnd = useCallback(
    (isWhole: boolean) => {
      if (!isWhole) bringBack()
      setStarted(null)
    },
    [bringBack],
  )
  const rows = useListRows(work, top, head, list)
  useReplayListKeys(work, rows.move)
  return (
    <div className={styles.screen} data-deletes={work.mayDelete}>
      <ListTop ref={top} work={work} onStarted={onStarted} />
      {started === null ? null : <DeletionProgress key={started.job} org={org} deletion={started} onEnd={onEnd} />}
      <div className={styles.panes}>
        <div className={styles.list}>
          <ReplayTable work={work} rows={rows} head={head} list={list} />
          {started !== null && work.rows.length === 0 ? null : <ListState work={work} />}
        </div>
        <MostClicked org={org} search={search} />
      </div>
      <Deletion work={work} />
    </div>
  )
}

/** Why the server refuses the search, or null. */
function refusalOf({ query: { error } }: ListWork): string | null {
  return error instanceof ApiError && error.status === 400 ? describeError(error).detail : null
}

/** Heading, search, filters and tabs; they stick to the top of the window. */
function ListTop({
  ref,
  work,
  onStarted,
}: {
  readonly ref: Ref<HTMLDivElement>
  readonly work: ListWork
  readonly onStarted: (deletion: StartedDeletion) => void
}) {
  const { change, org, search } = work
  return (
    <div ref={ref} className={styles.top}>
      <PageHeader title="Replays">
        <ScopeBar org={org} search={search} onChange={change} done="Show replays" atEnd />
        <div className={styles.search}>
          <SearchBar
            label="Search replays"
            hint="page, visitor, click.selector:…, count_errors:>0"
            value={search.query}
            onSearch={(query) => change({ query })}
            keys={REPLAY_KEYS}
            scope={{ org, project: search.project }}
            completions={REPLAY_COMPLETIONS}
            refusal={refusalOf(work) ?? undefined}
          />
        </div>
        <div className={styles.sort}>
          <Select
            look="bar"
            named
            aria-label="Sort by"
            value={search.sort}
            options={SORTS}
            onValueChange={(sort) => change({ sort })}
          />
        </div>
        <MoreOfList work={work} onStarted={onStarted} />
      </PageHeader>
      <ReplayTabs org={org} search={search} />
      {work.readable === null ? null : <Readable {...work.readable} />}
      <Waiting work={work} />
    </div>
  )
}

/** What can be done with all that the search finds. */
function MoreOfList({
  work: { org, rows, search },
  onStarted,
}: {
  readonly work: ListWork
  readonly onStarted: (deletion: StartedDeletion) => void
}) {
  const mayDeleteMany = useAccess(org)('project:write')
  const [asks, setAsks] = useState(false)
  if (!mayDeleteMany) return null
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={MoreIcon} label="More" />}>
        <MenuItem icon={TrashIcon} danger disabled={rows.length === 0} onSelect={() => setAsks(true)}>
          Delete all that match…
        </MenuItem>
      </Menu>
      <DeleteMatching org={org} search={search} open={asks} onOpenChange={setAsks} onStarted={onStarted} />
    </>
  )
}

/** What came meanwhile does not push away what somebody reads. */
function Waiting({ work: { showWaiting, waiting } }: { readonly work: ListWork }) {
  return (
    <div role="status">
      {waiting === 0 ? null : (
        <button
          type="button"
          className={styles.waiting}
          onClick={() => {
            showWaiting()
            globalThis.scrollTo({ top: 0 })
          }}
        >
          {waiting === 1 ? 'Show 1 new replay' : `Show ${formatCount(waiting)} new replays`}
        </button>
      )}
    </div>
  )
}

/** Words are searched: in how many replays that can find any. */
function Readable({ replays, readable }: ReadableReplays) {
  return (
    <p role="status" className={styles.readable}>
      Screen text is searchable in <strong>{formatCount(readable)}</strong> of <strong>{formatCount(replays)}</strong>{' '}
      {replays === 1 ? 'replay' : 'replays'}
      {readable < replays ? '; the rest was masked or not read.' : '.'}
    </p>
  )
}

/** What stands below the rows, or in their place: loading, failed, nothing, more. */
function ListState({ work }: { readonly work: ListWork }) {
  const { change, org, query, rows, search } = work
  const isRefused = refusalOf(work) !== null
  // Of a search that found nothing no row can stay until the next answer; of a page whose rows are all being deleted neither.
  if (query.isPending || (rows.length === 0 && (query.isPlaceholderData || work.busy)))
    return <SkeletonRows rows={12} label="Loading the replays" />
  if (query.error !== null && rows.length === 0) {
    return (
      <ErrorState
        title={isRefused ? 'This search is not valid' : 'The replays could not be loaded'}
        {...describeError(query.error)}
        onRetry={isRefused ? undefined : () => void query.refetch()}
      />
    )
  }
  if (rows.length === 0) {
    return <NoReplays org={org} search={search} onChange={change} />
  }
  return query.isFetchingNextPage ? (
    <div className={styles.more}>
      <Spinner label="Loading more replays" />
    </div>
  ) : null
}

/** The bar for selected replays, and the question before they are deleted. */
function Deletion({ work }: { readonly work: ListWork }) {
  const { busy, clear, deleting, org, selected, setDeleting } = work
  const count = work.target().length
  const client = useQueryClient()
  const mayDeleteMany = useAccess(org)('project:write')
  const [ofVisitor, setOfVisitor] = useState(false)
  /** All of a visitor are deleted by one replay of theirs. */
  const only = selected.size === 1 ? work.target()[0] : undefined
  return (
    <>
      {selected.size === 0 ? null : (
        <FloatBar
          things="replays"
          count={selected.size}
          busy={busy}
          mayDelete
          onDelete={() => setDeleting(true)}
          onClose={clear}
        >
          {only === undefined || !mayDeleteMany ? null : (
            <FloatBarButton onClick={() => setOfVisitor(true)}>All of this visitor</FloatBarButton>
          )}
        </FloatBar>
      )}
      {only === undefined ? null : (
        <DeleteVisitor
          replay={{ org, project: only.project_id, replay: only.id }}
          open={ofVisitor}
          onOpenChange={setOfVisitor}
          onDeleted={() => {
            clear()
            void client.invalidateQueries({ queryKey: replaysKey(org) })
          }}
        />
      )}
      <AlertDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={count === 1 ? 'Delete this replay?' : `Delete ${count} replays?`}
        description="What was recorded is removed for good, and parts that still come are refused. Issues and reports stay. This cannot be undone."
        confirmLabel={count === 1 ? 'Delete the replay' : `Delete ${count} replays`}
        busy={busy}
        onConfirm={() => void work.remove()}
      />
    </>
  )
}

import { ApiError, type Issue } from '@firsthand/contract'
import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { PHONE, useMedia } from '../../../lib/use-media.ts'
import { AlertDialog, Avatar, Checkbox, ErrorState, PageHeader, Spinner, useShortcut } from '../../../ui/index.ts'
import { SearchBar } from '../../search/index.ts'
import { ISSUE_KEYS } from '../../search/model/index.ts'
import { useIssueActions, useIssueMarks } from '../actions.ts'
import { assigneeName } from '../model/rows.ts'
import {
  ALL_MATCHES,
  NOTHING,
  type Selection,
  countSelected,
  isSelected,
  keepOnly,
  loadedState,
  toggle,
  toggleLoaded,
  toggleRange,
} from '../model/selection.ts'
import { type StreamSearch, compactUrl, fromUrl, periodLabel, readStreamUrl } from '../model/stream-search.ts'
import type { Target } from '../queries.ts'
import { rememberedRow, rememberRow } from '../last-row.ts'
import { useStream } from '../stream.ts'
import { AssigneePicker } from './AssigneePicker.tsx'
import { BulkBar } from './BulkBar.tsx'
import { IssueRow } from './IssueRow.tsx'
import { ARCHIVE, REOPEN, RESOLVE, type StatusChoice } from './StatusMenus.tsx'
import { NothingHere } from './NothingHere.tsx'
import { FilterSheet, ScopeFilters, SortSelect } from './StreamFilters.tsx'
import { StreamSkeleton } from './StreamSkeleton.tsx'
import { StreamTabs } from './StreamTabs.tsx'
import styles from './IssueStreamScreen.module.css'

const ROW_HEIGHT = 56
const ROW_HEIGHT_PHONE = 64
/** Scrolled less than this is "at the top": new rows may come in. */
const AT_TOP_PX = 24
/** Rows before the end at which the next page is asked for. */
const LOAD_AHEAD = 12

export function IssueStreamScreen() {
  const { org = '' } = useParams({ strict: false })
  const raw = useSearch({ strict: false })
  const url = JSON.stringify(readStreamUrl(raw))
  const search = useMemo(() => fromUrl(readStreamUrl(JSON.parse(url) as Record<string, unknown>)), [url])
  return <IssueStream key={org} org={org} search={search} />
}

function IssueStream({ org, search }: { readonly org: string; readonly search: StreamSearch }) {
  const navigate = useNavigate()
  const may = useAccess(org)
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [current, setCurrent] = useState<string | null>(rememberedRow)
  const [assigning, setAssigning] = useState<{
    readonly ids: readonly string[] | null
    readonly anchor: Element
  } | null>(null)
  const [deleting, setDeleting] = useState(false)
  const pointerInside = useRef(false)

  const isCalm = () =>
    globalThis.scrollY < AT_TOP_PX && !pointerInside.current && selection === NOTHING && assigning === null && !deleting
  const stream = useStream(org, search, isCalm)
  const { issues } = stream
  const matches = stream.matches ?? issues.length
  const actions = useIssueActions(org, issues, matches)
  const mark = useIssueMarks(org)
  const order = useMemo(() => issues.map((issue) => issue.id), [issues])
  const kept = keepOnly(selection, order)
  if (kept !== selection) setSelection(kept)

  const url = compactUrl(search)
  const change = (next: Partial<StreamSearch>) => {
    setSelection(NOTHING)
    void navigate({ to: '/organizations/$org/issues', params: { org }, search: compactUrl({ ...search, ...next }) })
  }
  const open = (id: string) => {
    rememberRow(id)
    void navigate({ to: '/organizations/$org/issues/$issue', params: { org, issue: id }, search: compactUrl(search) })
  }

  const table = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const isPhone = useMedia(PHONE)
  const offsets = useOffsets(top, table, head)
  const virtual = useWindowVirtualizer({
    count: issues.length,
    estimateSize: () => (isPhone ? ROW_HEIGHT_PHONE : ROW_HEIGHT),
    getItemKey: (index) => order[index] ?? index,
    overscan: 10,
    scrollMargin: offsets.list,
    scrollPaddingStart: offsets.top,
    scrollPaddingEnd: 72,
  })
  useEffect(() => virtual.measure(), [virtual, isPhone])
  const items = virtual.getVirtualItems()
  const lastDrawn = items.at(-1)?.index ?? -1
  const { hasMore, loadMore } = stream
  useEffect(() => {
    if (hasMore && lastDrawn >= issues.length - LOAD_AHEAD) loadMore()
  }, [hasMore, loadMore, lastDrawn, issues.length])

  const currentIndex = current === null ? -1 : order.indexOf(current)
  // Back from an issue, perhaps one further down than the one that was opened, its row is in sight.
  const router = useRouter()
  const [isReturning] = useState(() => /\/issues\/[^/]+$/.test(router.state.resolvedLocation?.pathname ?? ''))
  const hasReturned = useRef(!isReturning)
  useEffect(() => {
    if (hasReturned.current || currentIndex === -1 || offsets.list === 0) return undefined
    hasReturned.current = true
    // The router puts the page to its old place, or to the top, after it has been drawn.
    const frame = requestAnimationFrame(() => virtual.scrollToIndex(currentIndex, { align: 'auto' }))
    return () => cancelAnimationFrame(frame)
  }, [currentIndex, offsets.list, virtual])
  const move = (step: number) => {
    const index = Math.min(Math.max(currentIndex + step, 0), issues.length - 1)
    const id = order[index]
    if (id === undefined) return
    setCurrent(id)
    virtual.scrollToIndex(index)
  }
  const select = (id: string, withShift: boolean) => {
    setCurrent(id)
    setSelection(withShift ? toggleRange(selection, order, id) : toggle(selection, order, id))
  }

  /** The selection; without one, the row of the keyboard. */
  const target = (): Target | null => {
    if (selection.kind === 'all') return { matching: search }
    if (selection.ids.size > 0) return { ids: order.filter((id) => selection.ids.has(id)) }
    return current === null || currentIndex === -1 ? null : { ids: [current] }
  }
  /** After a change that takes rows away the keyboard goes on with the next row that stays. */
  const leave = (ids: readonly string[]) => {
    const gone = new Set(ids)
    const next =
      order.slice(Math.max(currentIndex, 0)).find((id) => !gone.has(id)) ?? order.findLast((id) => !gone.has(id))
    setCurrent(next ?? null)
    setSelection(NOTHING)
  }
  const setStatus = (choice: StatusChoice) => {
    const chosen = target()
    if (chosen === null || !may('event:write')) return
    void actions.change(chosen, choice.change, choice.done)
    leave('ids' in chosen ? chosen.ids : order)
  }
  /** One key for both ways: as long as one of them has no bookmark, all get one. */
  const bookmark = () => {
    const chosen = target()
    if (chosen === null || !('ids' in chosen) || !may('event:write')) return
    const wanted = new Set(chosen.ids)
    mark(chosen.ids, { isBookmarked: issues.some((issue) => wanted.has(issue.id) && !issue.isBookmarked) })
  }
  const isArchived = /(^|\s)is:(archived|ignored)\b/.test(search.query)
  const selectedCount = countSelected(selection, matches)
  const mergeIds = selection.kind === 'some' ? order.filter((id) => selection.ids.has(id)) : []
  const mayMerge = mergeIds.length >= 2 && may('event:write') && projectsOf(issues, mergeIds) === 1
  const merge = () => {
    if (!mayMerge) return
    void actions.merge(mergeIds)
    setSelection(NOTHING)
  }
  const assignAt = (anchor: Element | null, ids: readonly string[] | null) => {
    if (anchor !== null && may('event:write')) setAssigning({ ids, anchor })
  }
  const rowOf = (id: string) => table.current?.querySelector(`[data-issue="${CSS.escape(id)}"] [data-assign]`) ?? null

  const group = 'Issues'
  useShortcut('j', () => move(1), { label: 'Next issue', group })
  useShortcut('k', () => move(-1), { label: 'Previous issue', group })
  useShortcut('ArrowDown', () => move(1), { label: 'Next issue', group })
  useShortcut('ArrowUp', () => move(-1), { label: 'Previous issue', group })
  useShortcut('o', () => current !== null && open(current), { label: 'Open', group })
  useShortcut('x', () => current !== null && select(current, false), { label: 'Select', group })
  useShortcut('shift+x', () => current !== null && select(current, true), { label: 'Select up to here', group })
  useShortcut('mod+a', () => setSelection(toggleLoaded(NOTHING, order)), { label: 'Select all', group })
  useShortcut('e', () => setStatus(RESOLVE), { label: 'Resolve', group })
  useShortcut('i', () => setStatus(isArchived ? REOPEN : ARCHIVE), {
    label: isArchived ? 'Unarchive' : 'Archive',
    group,
  })
  useShortcut(
    'a',
    () => {
      if (selectedCount > 0) assignAt(document.querySelector('[data-assign-selected]'), null)
      else if (current !== null) assignAt(rowOf(current), [current])
    },
    { label: 'Assign', group },
  )
  useShortcut('b', bookmark, { label: 'Bookmark', group })
  useShortcut('m', merge, { label: 'Merge', group })
  useShortcut('Backspace', () => target() !== null && may('event:admin') && setDeleting(true), {
    label: 'Delete',
    group,
  })
  useShortcut('Escape', () => (selection === NOTHING ? setCurrent(null) : setSelection(NOTHING)), {
    label: 'Clear the selection',
    group,
  })
  // Enter belongs to whatever has the focus; it opens the issue only when nothing has.
  useShortcut(
    'Enter',
    (event) => {
      const focused = event.target
      if (focused instanceof HTMLElement && focused.matches('a, button')) focused.click()
      else if (current !== null) open(current)
    },
    { label: 'Open', group },
  )

  const failure = stream.error === null ? null : describeError(stream.error)
  const refused = stream.error instanceof ApiError && stream.error.status === 400
  const period = periodLabel(search.statsPeriod)
  const everything = selection.kind === 'some' && loadedState(selection, order) === 'all' && matches > issues.length
  const assigned = assigning?.ids?.length === 1 ? issues.find((issue) => issue.id === assigning.ids?.[0]) : undefined

  return (
    <div className={styles.screen}>
      <div ref={top} className={styles.top}>
        <PageHeader title="Issues">
          <div className={styles.filters}>
            <ScopeFilters org={org} search={search} onChange={change} />
          </div>
          <FilterSheet org={org} search={search} onChange={change} />
          <SearchBar
            label="Search issues"
            value={search.query}
            onSearch={(query) => change({ query })}
            keys={ISSUE_KEYS}
            scope={{ org, project: search.project }}
            refusal={refused ? failure?.detail : undefined}
            className={styles.search}
          />
          <div className={cx(styles.filters, styles.sort)}>
            <SortSelect search={search} onChange={change} />
          </div>
        </PageHeader>
        <StreamTabs org={org} search={search} />
      </div>

      <div
        ref={table}
        role="table"
        aria-label="Issues"
        aria-rowcount={matches + 1}
        aria-busy={stream.state === 'loading' || stream.isOutdated}
        className={styles.table}
      >
        <div
          ref={head}
          role="rowgroup"
          className={cx(styles.headGroup, (everything || selection.kind === 'all') && styles.telling)}
          style={{ top: offsets.top }}
        >
          <div role="row" aria-rowindex={1} className={styles.head}>
            <span role="columnheader" className={styles.check}>
              <Checkbox
                aria-label="Select all loaded issues"
                checked={loadedState(selection, order) === 'all' && order.length > 0}
                indeterminate={loadedState(selection, order) === 'some'}
                disabled={order.length === 0}
                onCheckedChange={() => setSelection(toggleLoaded(selection, order))}
              />
            </span>
            <span role="columnheader" className={styles.main}>
              {everything ? (
                <>
                  {formatCount(selection.ids.size)} selected.{' '}
                  <button type="button" className={styles.everything} onClick={() => setSelection(ALL_MATCHES)}>
                    Select all {formatCount(matches)} that match
                  </button>
                </>
              ) : selection.kind === 'all' ? (
                `All ${formatCount(matches)} that match, also those further down`
              ) : (
                'Issue'
              )}
            </span>
            <span role="columnheader" className={styles.wide}>
              {period}
            </span>
            <span role="columnheader" className={styles.number}>
              Events
            </span>
            <span role="columnheader" className={styles.number}>
              Users
            </span>
            <span role="columnheader" className={styles.number}>
              Last seen
            </span>
            <span role="columnheader" className={styles.number}>
              Age
            </span>
            <span role="columnheader" className={styles.number}>
              <span className={styles.hidden}>Assignee</span>
            </span>
          </div>
        </div>

        {stream.state === 'ready' && issues.length > 0 ? (
          <div
            role="rowgroup"
            className={cx(styles.rows, stream.isOutdated && styles.outdated)}
            style={{ height: virtual.getTotalSize() }}
            onPointerEnter={(event) => {
              pointerInside.current = event.pointerType === 'mouse'
            }}
            onPointerLeave={() => {
              pointerInside.current = false
            }}
          >
            {items.map((item) => {
              const issue = issues[item.index]
              return issue === undefined ? null : (
                <IssueRow
                  key={issue.id}
                  issue={issue}
                  rowIndex={item.index + 2}
                  selected={isSelected(selection, issue.id)}
                  current={issue.id === current}
                  highlighted={stream.highlighted.has(issue.id)}
                  periodLabel={period.toLowerCase()}
                  style={{ transform: `translateY(${item.start - offsets.list}px)` }}
                  onSelect={(withShift) => select(issue.id, withShift)}
                  org={org}
                  stream={url}
                  onOpen={() => rememberRow(issue.id)}
                  assignee={
                    <button
                      type="button"
                      data-assign=""
                      className={styles.assign}
                      title={assigneeName(issue.assignedTo) ?? 'Assign'}
                      disabled={!may('event:write')}
                      onClick={(event) => assignAt(event.currentTarget, [issue.id])}
                    >
                      <Avatar name={assigneeName(issue.assignedTo)} />
                      <span className={styles.hidden}>
                        {issue.assignedTo === null
                          ? `Assign ${issue.shortId}`
                          : `Assigned to ${assigneeName(issue.assignedTo)}: change`}
                      </span>
                    </button>
                  }
                />
              )
            })}
          </div>
        ) : null}
      </div>

      {stream.state === 'loading' ? <StreamSkeleton /> : null}
      {stream.state === 'failed' && failure !== null ? (
        <ErrorState
          title={refused ? 'This search could not be read' : 'The issues could not be loaded'}
          detail={failure.detail}
          digest={failure.digest}
          onRetry={refused ? undefined : stream.retry}
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
      {selectedCount > 0 && selection !== NOTHING && may('event:write') ? (
        <BulkBar
          count={selectedCount}
          busy={actions.busy}
          mayDelete={may('event:admin')}
          isArchived={isArchived}
          onStatus={setStatus}
          mayMerge={mayMerge}
          onMerge={merge}
          onDelete={() => setDeleting(true)}
          onClose={() => setSelection(NOTHING)}
          onAssign={(button) => assignAt(button, null)}
        />
      ) : null}
      <AssigneePicker
        org={org}
        assignedTo={assigned?.assignedTo}
        anchor={assigning?.anchor ?? null}
        open={assigning !== null}
        onOpenChange={(isOpen) => {
          if (!isOpen) setAssigning(null)
        }}
        side={assigning?.ids === null ? 'top' : 'bottom'}
        align={assigning?.ids === null ? 'center' : 'end'}
        onAssign={(assignment, name) => {
          const chosen = assigning?.ids === null || assigning === null ? target() : { ids: assigning.ids }
          setAssigning(null)
          if (chosen !== null)
            void actions.change(chosen, assignment, name === null ? 'unassigned' : `assigned to ${name}`)
          setSelection(NOTHING)
        }}
      />
      <AlertDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={`Delete ${selectedCount > 0 && selection !== NOTHING ? formatCount(selectedCount) : 1} ${selectedCount > 1 ? 'issues' : 'issue'}?`}
        description={
          selection.kind === 'all'
            ? 'Everything that matches the search is deleted with all its events. New events of the same kind open new issues.'
            : 'The events are deleted as well. New events of the same kind open a new issue. For a short while this can be undone.'
        }
        confirmLabel="Delete"
        busy={actions.busy}
        onConfirm={() => {
          const chosen = target()
          setDeleting(false)
          if (chosen === null) return
          leave('ids' in chosen ? chosen.ids : order)
          void actions.remove(chosen)
        }}
      />
    </div>
  )
}

function projectsOf(issues: readonly Issue[], ids: readonly string[]): number {
  const wanted = new Set(ids)
  return new Set(issues.filter((issue) => wanted.has(issue.id)).map((issue) => issue.project.id)).size
}

type Box = { readonly current: HTMLElement | null }

/** Where the rows begin in the document, and how much of the window the sticky top covers. */
function useOffsets(top: Box, table: Box, head: Box): { readonly list: number; readonly top: number } {
  const [offsets, setOffsets] = useState({ list: 0, top: 0 })
  useLayoutEffect(() => {
    const measure = () => {
      const start = table.current === null ? 0 : table.current.getBoundingClientRect().top + globalThis.scrollY
      const next = { list: Math.round(start + (head.current?.offsetHeight ?? 0)), top: top.current?.offsetHeight ?? 0 }
      setOffsets((now) => (now.list === next.list && now.top === next.top ? now : next))
    }
    // It calls back once at the beginning, too.
    const observer = new ResizeObserver(measure)
    for (const element of [top.current, head.current, document.body]) {
      if (element !== null) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [top, table, head])
  return offsets
}

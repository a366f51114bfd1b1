import type { Feedback, FeedbackChange } from '@firsthand/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { isFocusLost } from '../../../shell/focus.ts'
import { AlertDialog, EmptyState, ErrorState, FeedbackIcon, SkeletonRows, useShortcut } from '../../../ui/index.ts'
import { AssigneePicker } from '../../issues/index.ts'
import { useFeedbackActions } from '../actions.ts'
import { type InboxSearch, compactInbox, fromInboxUrl, readInboxUrl } from '../model/inbox-search.ts'
import { bulkChoices, oldestOf } from '../model/report.ts'
import { inboxQuery, mailboxCountsQuery, reportQuery } from '../queries.ts'
import { FeedbackBulkBar } from './FeedbackBulkBar.tsx'
import { FeedbackList, type FeedbackListHandle } from './FeedbackList.tsx'
import { InboxFilters } from './InboxFilters.tsx'
import { NothingSaid } from './NothingSaid.tsx'
import { ReportPane } from './ReportPane.tsx'
import styles from './FeedbackScreen.module.css'

/** The inbox: the list, and beside it the report that is open. */
export function FeedbackScreen() {
  const { org = '' } = useParams({ strict: false })
  const raw = useSearch({ strict: false })
  const url = JSON.stringify(readInboxUrl(raw))
  const search = useMemo(() => fromInboxUrl(readInboxUrl(JSON.parse(url) as Record<string, unknown>)), [url])
  return <Inbox key={org} org={org} search={search} />
}

const NO_ROWS: readonly Feedback[] = []
/** Half a second at the usual rate: then the row is not there, and the focus stays where it is. */
const FRAMES_TO_MEASURE = 30

function Inbox({ org, search }: { readonly org: string; readonly search: InboxSearch }) {
  const navigate = useNavigate()
  const may = useAccess(org)
  const query = useInfiniteQuery(inboxQuery(org, search))
  const { data: counts } = useQuery(mailboxCountsQuery(org, search.project))
  const rows = useMemo(() => uniqueRows(query.data?.pages.map((page) => page.data)), [query.data])
  const order = useMemo(() => rows.map((row) => row.id), [rows])
  const isOpen = search.report !== ''
  const { data: detail } = useQuery({ ...reportQuery(org, search.report), enabled: isOpen })
  // The open report need not be in the list: a link leads to it, or reading took it out of "unread".
  const openRow = isOpen
    ? (rows.find((row) => row.id === search.report || row.eventId === search.report) ?? detail)
    : undefined
  const known = openRow === undefined || rows.includes(openRow) ? rows : [...rows, openRow]
  const actions = useFeedbackActions(org, known)
  const [current, setCurrent] = useState<string | null>(search.report === '' ? null : search.report)
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState<string | null>(null)
  const [assigning, setAssigning] = useState<Element | null>(null)
  const [deleting, setDeleting] = useState(false)
  const list = useRef<FeedbackListHandle>(null)

  const present = new Set(order)
  const selected = [...selection].filter((id) => present.has(id))
  const change = (next: Partial<InboxSearch>, replace = false) => {
    const to = compactInbox({ ...search, ...next })
    void navigate({ to: '/organizations/$org/feedback', params: { org }, search: to, replace })
  }
  const narrow = (next: Partial<InboxSearch>) => {
    setSelection(new Set())
    change({ ...next, report: '' })
  }
  const open = (id: string) => {
    setCurrent(id)
    change({ report: id }, search.report !== '')
  }

  /** Where the keyboard was: a report that was read leaves "unread", and the keys go on from its place. */
  const place = useRef(0)
  const here = order.indexOf(openRow?.id ?? current ?? '')
  useEffect(() => {
    if (here !== -1) place.current = here
  }, [here])
  const move = (step: number) => {
    const at = here !== -1 ? here : place.current - (step > 0 ? 1 : 0)
    const id = order[Math.min(Math.max(at + step, 0), order.length - 1)]
    if (id === undefined) return
    setCurrent(id)
    list.current?.scrollTo(id)
    // With a report beside the list, the keys read on; without one they only move.
    if (search.report !== '') open(id)
  }
  const toggle = (id: string, withShift: boolean) => {
    const from = anchor === null ? -1 : order.indexOf(anchor)
    const to = order.indexOf(id)
    const range = withShift && from !== -1 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
    const next = new Set(selection)
    const checks = !next.has(id)
    for (const one of range) {
      if (checks) next.add(one)
      else next.delete(one)
    }
    setSelection(next)
    setAnchor(id)
    setCurrent(id)
  }
  /** The selection; without one the open report; without that the row of the keyboard. */
  const target = (): readonly string[] => {
    if (selected.length > 0) return selected
    const id = search.report === '' ? current : (openRow?.id ?? search.report)
    return id === null ? [] : [id]
  }
  /** After a change that takes rows away, the next report is shown. */
  const leave = (ids: readonly string[]) => {
    const gone = new Set(ids)
    const at = here === -1 ? place.current : here
    const next = order.slice(at).find((id) => !gone.has(id)) ?? order.findLast((id) => !gone.has(id)) ?? null
    setSelection(new Set())
    setCurrent(next)
    if (search.report !== '') change({ report: next ?? '' }, true)
  }
  const apply = (change: FeedbackChange, ids = target()) => {
    if (ids.length === 0 || !may('event:write')) return
    void actions.change(ids, change)
    const moves = change.status !== undefined && search.mailbox !== 'all' && change.status !== search.mailbox
    if (moves) leave(ids)
    else setSelection(new Set())
  }
  const spamOrNot = () => {
    const ids = new Set(target())
    const { isSpam } = bulkChoices(known.filter((row) => ids.has(row.id)))
    apply({ status: isSpam ? 'open' : 'spam' })
  }
  const readOrNot = () => {
    const ids = new Set(target())
    apply({ isRead: bulkChoices(known.filter((row) => ids.has(row.id))).hasUnread })
  }
  const chosen = rows.filter((row) => selection.has(row.id))
  const mergeable = chosen.length >= 2 && new Set(chosen.map((row) => row.project.id)).size === 1
  const merge = () => {
    // Into the oldest, however the list is sorted: it was there first.
    const parent = oldestOf(chosen)?.id
    if (!mergeable || parent === undefined || !may('event:write')) return
    void actions.merge(
      parent,
      selected.filter((id) => id !== parent),
    )
    setSelection(new Set())
  }

  const group = 'Feedback'
  const write = may('event:write')
  useShortcut('j', () => move(1), { label: 'Next report', group })
  useShortcut('k', () => move(-1), { label: 'Previous report', group })
  useShortcut('ArrowDown', () => move(1), { label: 'Next report', group })
  useShortcut('ArrowUp', () => move(-1), { label: 'Previous report', group })
  useShortcut('o', () => current !== null && open(current), { label: 'Open', group })
  // Enter belongs to whatever has the focus; it opens the report only when nothing has.
  useShortcut(
    'Enter',
    (event) => {
      const focused = event.target
      if (focused instanceof HTMLElement && focused.matches('a, button, summary')) focused.click()
      else if (current !== null) open(current)
    },
    { label: 'Open', group },
  )
  useShortcut('x', () => current !== null && toggle(current, false), { label: 'Select', group })
  useShortcut('shift+x', () => current !== null && toggle(current, true), { label: 'Select up to here', group })
  useShortcut('mod+a', () => setSelection(new Set(order)), { label: 'Select all', group })
  useShortcut('e', () => apply({ status: 'resolved' }), { label: 'Resolve', group, enabled: write })
  useShortcut('i', () => apply({ status: 'archived' }), { label: 'Archive', group, enabled: write })
  useShortcut('s', spamOrNot, { label: 'Spam, or not', group, enabled: write })
  useShortcut('u', readOrNot, { label: 'Read, or unread', group, enabled: write })
  useShortcut('m', merge, { label: 'Merge', group, enabled: write })
  useShortcut(
    'a',
    () => setAssigning(target().length === 0 ? null : document.querySelector('[data-assign-selected], [data-assign]')),
    { label: 'Assign', group, enabled: write },
  )
  useShortcut('Backspace', () => target().length > 0 && setDeleting(true), {
    label: 'Delete',
    group,
    enabled: may('event:admin'),
  })
  useShortcut(
    'Escape',
    () =>
      selected.length > 0 ? setSelection(new Set()) : search.report === '' ? setCurrent(null) : change({ report: '' }),
    { label: 'Clear the selection, close the report', group },
  )

  // Who opens a report has read it.
  const unread = openRow !== undefined && !openRow.isRead ? openRow.id : null
  const mark = actions.change
  const marked = useRef<string | null>(null)
  useEffect(() => {
    if (unread === null || !write || marked.current === unread) return
    marked.current = unread
    void mark([unread], { isRead: true }, true)
  }, [unread, write, mark])

  // On a narrow screen the list goes away and comes back: the focus returns to the row it left.
  const lastOpen = useRef(search.report)
  useEffect(() => {
    const left = lastOpen.current
    lastOpen.current = search.report
    if (search.report !== '' || left === '' || !isFocusLost()) return undefined
    list.current?.scrollTo(left)
    // A list that was not shown has no rows until it has been measured.
    let frames = FRAMES_TO_MEASURE
    let frame = 0
    const attempt = (): void => {
      const link = document.querySelector<HTMLElement>(`[data-report="${CSS.escape(left)}"] a`)
      if (link !== null) link.focus()
      else if (frames-- > 0) frame = requestAnimationFrame(attempt)
    }
    attempt()
    return () => cancelAnimationFrame(frame)
  }, [search.report])

  const failure = query.error === null ? null : describeError(query.error)
  const hits = query.data?.pages[0]?.hits ?? rows.length
  return (
    <div className={cx(styles.screen, isOpen && styles.reading)}>
      <InboxFilters org={org} search={search} counts={counts} onChange={narrow} />
      <div className={styles.panes}>
        <section aria-label="Reports" className={styles.list} aria-busy={query.isPending || query.isPlaceholderData}>
          {query.isPending ? <SkeletonRows rows={8} /> : null}
          {failure === null ? null : (
            <ErrorState
              compact
              title="The reports could not be loaded"
              {...failure}
              onRetry={() => void query.refetch()}
            />
          )}
          {query.isSuccess && rows.length === 0 ? (
            <NothingSaid org={org} search={search} counts={counts} onChange={narrow} />
          ) : null}
          {rows.length === 0 ? null : (
            <FeedbackList
              ref={list}
              org={org}
              rows={rows}
              hits={hits}
              search={search}
              current={current}
              selection={selection}
              outdated={query.isPlaceholderData}
              hasMore={query.hasNextPage}
              loadsMore={query.isFetchingNextPage}
              onLoadMore={() => void query.fetchNextPage()}
              onOpen={setCurrent}
              onSelect={toggle}
            />
          )}
        </section>
        {isOpen ? (
          <ReportPane
            key={search.report}
            org={org}
            report={search.report}
            actions={actions}
            onStatus={(status) => apply({ status }, [openRow?.id ?? search.report])}
            onAssign={setAssigning}
            onClose={() => change({ report: '' })}
            onDelete={() => setDeleting(true)}
          />
        ) : (
          <div className={styles.nothing}>
            {rows.length === 0 ? null : (
              <EmptyState compact icon={FeedbackIcon} title="No report is open">
                Choose one from the list, or press j.
              </EmptyState>
            )}
          </div>
        )}
      </div>
      {selected.length > 0 && write ? (
        <FeedbackBulkBar
          count={selected.length}
          busy={actions.busy}
          choices={bulkChoices(chosen)}
          mayMerge={mergeable}
          mayDelete={may('event:admin')}
          onChange={apply}
          onMerge={merge}
          onAssign={setAssigning}
          onDelete={() => setDeleting(true)}
          onClose={() => setSelection(new Set())}
        />
      ) : null}
      <AssigneePicker
        org={org}
        assignedTo={target().length === 1 ? known.find((row) => row.id === target()[0])?.assignedTo : undefined}
        anchor={assigning}
        open={assigning !== null}
        onOpenChange={(isOpened) => {
          if (!isOpened) setAssigning(null)
        }}
        side={selected.length > 0 ? 'top' : 'bottom'}
        align={selected.length > 0 ? 'center' : 'end'}
        onAssign={({ assignedTo }) => {
          setAssigning(null)
          apply({ assignedTo: assignedTo === '' || assignedTo === undefined ? null : assignedTo })
        }}
      />
      <AlertDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={target().length > 1 ? `Delete ${target().length} reports?` : 'Delete this report?'}
        description="Its pictures, notes and the conversation with the reporter go with it. This cannot be taken back."
        confirmLabel="Delete"
        busy={actions.busy}
        onConfirm={() => {
          const ids = target()
          setDeleting(false)
          leave(ids)
          void actions.remove(ids)
        }}
      />
    </div>
  )
}

/** A row can stand on two pages when the list moved between their requests. */
function uniqueRows(pages: readonly (readonly Feedback[])[] | undefined): readonly Feedback[] {
  if (pages === undefined) return NO_ROWS
  return [...new Map(pages.flat().map((row) => [row.id, row])).values()]
}

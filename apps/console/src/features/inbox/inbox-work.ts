import { restoreInbox, updateInbox, type InboxEntry, type InboxState, type Snooze } from '@firsthand/contract'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api } from '../../lib/api.ts'
import { changeShown } from '../../lib/shown-data.ts'
import { NOTHING, type Selection, keepOnly, toggle, toggleLoaded, toggleRange } from '../../lib/selection.ts'
import { toast, useChanges, useSearchAhead } from '../../ui/index.ts'
import { compactInbox, type InboxSearch, readInbox } from './model/inbox-search.ts'
import { snoozeWords } from './model/snooze-choices.ts'
import { inboxCountsQuery, type InboxData, inboxKey, inboxListKey, inboxQuery } from './queries.ts'

const NO_ROWS: readonly InboxEntry[] = []

type Changes = ReturnType<typeof useChanges>

interface LineChange {
  readonly isRead?: boolean
  readonly isDone?: boolean
  readonly snooze?: Snooze | null
}

export type InboxWork = ReturnType<typeof useInboxWork>

/** The lines on screen, which of them are selected, where the keyboard is, and what is done with them. */
export function useInboxWork(org: string, search: InboxSearch) {
  const client = useQueryClient()
  const query = useInfiniteQuery(inboxQuery(org, search))
  const { data: counts } = useQuery(inboxCountsQuery(org))
  /** Lines that were read while this list was looked at: they stay until one looks elsewhere. */
  const [held, setHeld] = useState<readonly InboxEntry[]>(NO_ROWS)
  const rows = useMemo(() => withHeld(rowsOf(query.data), held), [query.data, held])
  const order = useMemo(() => rows.map(({ id }) => id), [rows])
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [snoozing, setSnoozing] = useState(false)
  const { busy, during, undo } = useChanges(() => void client.invalidateQueries({ queryKey: inboxKey(org) }))
  const loaded = keepOnly(selection, order)
  if (loaded !== selection) setSelection(loaded)
  const clear = () => setSelection(NOTHING)

  const line = useOpenLine(org, search)
  const { ahead, change, current } = line
  const here = () => order.indexOf(ahead().entry)
  const target = (): readonly string[] => {
    const id = current()
    return loaded.ids.size > 0 ? [...loaded.ids] : id === null ? [] : [id]
  }

  const changes = lineChanges({
    target,
    known: () => {
      const ids = new Set(target())
      return rows.filter(({ id }) => ids.has(id))
    },
    opening: () => (loaded.ids.size > 0 || current() === search.entry ? null : current()),
    keepUnread: line.keepUnread,
    search,
    newest: rows.reduce((latest, { lastAt }) => (lastAt > latest ? lastAt : latest), ''),
    hold: (row) => setHeld((now) => [...now.filter(({ id }) => id !== row.id), row]),
    during,
    undo,
    send: async (which, what) => (await api.call(updateInbox, { params: { org }, body: { ...which, ...what } })).before,
    restore: (states) => api.call(restoreInbox, { params: { org }, body: { states: [...states] } }),
    show: (ids, what) => {
      if (what.isRead === undefined) setHeld((now) => now.filter(({ id }) => !ids.includes(id)))
      // Where the line goes, the next one is looked at.
      if (leaves(what, search.show) && ids.includes(ahead().entry)) {
        const rest = order.filter((id) => !ids.includes(id))
        change({ entry: rest[Math.min(Math.max(here(), 0), rest.length - 1)] ?? '' }, true)
      }
      clear()
      return showChange(client, org, new Set(ids), what, search.show)
    },
  })

  return {
    org,
    search,
    query,
    counts,
    rows,
    order,
    busy,
    selected: loaded.ids,
    clear,
    snoozing,
    setSnoozing,
    ...line,
    target,
    close: () => change({ entry: '' }),
    narrow: (next: Partial<InboxSearch>) => {
      clear()
      setHeld(NO_ROWS)
      change({ ...next, entry: '' })
    },
    /** The keyboard goes so many lines down, and opens the one there. */
    move: (step: number) => {
      const from = here()
      const at = from === -1 ? (step > 0 ? -1 : order.length) : from
      const id = order[Math.min(Math.max(at + step, 0), order.length - 1)]
      if (id !== undefined) line.open(id)
    },
    select: (id: string, withShift: boolean) =>
      setSelection(withShift ? toggleRange(selection, order, id) : toggle(selection, order, id)),
    selectAll: () => setSelection(toggleLoaded(NOTHING, order)),
    ...changes,
  }
}

/** The line that stands in the address, or will in a moment. */
function useOpenLine(org: string, search: InboxSearch) {
  const navigate = useNavigate()
  const ahead = useSearchAhead(search, readInbox)
  const change = (next: Partial<InboxSearch>, replace = false) =>
    void navigate({
      to: '/organizations/$org/inbox',
      params: { org },
      search: compactInbox({ ...ahead(), ...next }),
      replace,
    })
  /** A line on its way that was marked as unread already: opening it does not read it. */
  const [keptUnread, setKeptUnread] = useState<string | null>(null)
  const open = (id: string) => {
    setKeptUnread(null)
    change({ entry: id }, ahead().entry !== '')
  }
  /** The line that is open, or will be in a moment. */
  const current = () => ahead().entry || null
  return { ahead, change, current, open, keptUnread, keepUnread: setKeptUnread }
}

interface ChangeParts extends Pick<Changes, 'during' | 'undo'> {
  /** The selection; without one the open line. */
  readonly target: () => readonly string[]
  /** Those of them that are on screen. */
  readonly known: () => readonly InboxEntry[]
  /** The target where it is one line that is on its way, and so is as good as read. */
  readonly opening: () => string | null
  readonly keepUnread: (id: string | null) => void
  readonly search: InboxSearch
  /** When the newest line on screen was told. */
  readonly newest: string
  /** Keeps a line on screen that would leave the list. */
  readonly hold: (row: InboxEntry) => void
  /** Shows a change before it is made. @returns what takes that back */
  readonly show: (ids: readonly string[], what: LineChange) => () => void
  readonly send: (which: Which, what: LineChange) => Promise<readonly InboxState[]>
  readonly restore: (states: readonly InboxState[]) => Promise<unknown>
}

type Which = { readonly ids: string[] } | { readonly unreadUpTo: string; readonly query: string }

const lines = (count: number): string => (count === 1 ? 'Line' : `${count} lines`)

/** What is done with lines: it shows at once, a toast tells of it and takes it back. */
function lineChanges({
  target,
  known,
  opening,
  keepUnread,
  search,
  newest,
  hold,
  show,
  send,
  restore,
  during,
  undo,
}: ChangeParts) {
  const tell = (title: string, before: readonly InboxState[]) =>
    toast({ title, action: undo(title, () => restore(before)) })
  /** @param words null for what is seen where it is done */
  const apply = async (ids: readonly string[], what: LineChange, words: ((count: number) => string) | null) => {
    if (ids.length === 0) return
    const bringBack = show(ids, what)
    const before = await during('The change', () => send({ ids: [...ids] }, what))
    if (before === null) bringBack()
    else if (words !== null) tell(words(before.length), before)
  }
  return {
    /** Opening a line reads it. */
    read: (row: InboxEntry) => {
      hold({ ...row, isRead: true })
      void apply([row.id], { isRead: true }, null)
    },
    readOrNot: () => {
      const id = opening()
      const isRead = known().some((row) => !row.isRead && row.id !== id)
      keepUnread(isRead ? null : id)
      void apply(target(), { isRead }, (count) => `${lines(count)} marked as ${isRead ? 'read' : 'unread'}`)
    },
    done: (ids = target()) => {
      const isDone = search.show !== 'done'
      void apply(ids, { isDone }, (count) => `${lines(count)} ${isDone ? 'done' : 'put back'}`)
    },
    snooze: (snooze: Snooze | null, ids = target()) =>
      void apply(
        ids,
        { snooze },
        (count) => `${lines(count)} ${snooze === null ? 'awake again' : snoozeWords(snooze)}`,
      ),
    /** What came after the list was shown is not among it. */
    readAll: async () => {
      if (newest === '') return
      const before = await during('The change', () =>
        send({ unreadUpTo: newest, query: search.query }, { isRead: true }),
      )
      if (before !== null && before.length > 0) tell(`${lines(before.length)} marked as read`, before)
    },
  }
}

/** A line can stand on two pages when the list moved between their requests. */
function rowsOf(data: Pick<InboxData, 'pages'> | undefined): readonly InboxEntry[] {
  if (data === undefined) return NO_ROWS
  return [...new Map(data.pages.flatMap((page) => page.data).map((row) => [row.id, row])).values()]
}

/** Those that were read meanwhile stand where they stood. */
function withHeld(rows: readonly InboxEntry[], held: readonly InboxEntry[]): readonly InboxEntry[] {
  const present = new Set(rows.map(({ id }) => id))
  const gone = held.filter(({ id }) => !present.has(id))
  if (gone.length === 0) return rows
  return [...rows, ...gone].toSorted(
    (a, b) => Number(b.waits) - Number(a.waits) || Date.parse(b.lastAt) - Date.parse(a.lastAt),
  )
}

/** Whether a line that is changed so is not in this list any more. What is read stays until the list is asked for again. */
function leaves({ isDone, snooze }: LineChange, show: InboxSearch['show']): boolean {
  if (isDone !== undefined) return isDone !== (show === 'done')
  return snooze !== undefined && (snooze === null) === (show === 'snoozed')
}

function showChange(
  client: ReturnType<typeof useQueryClient>,
  org: string,
  ids: ReadonlySet<string>,
  what: LineChange,
  show: InboxSearch['show'],
): () => void {
  return changeShown<InboxData>(client, { queryKey: inboxListKey(org), type: 'active' }, (data) => ({
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      data: page.data
        .filter((row) => !ids.has(row.id) || !leaves(what, show))
        .map((row) => (ids.has(row.id) ? { ...row, ...what } : row)),
    })),
  }))
}

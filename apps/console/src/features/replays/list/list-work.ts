import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'

import { keepOnly, NOTHING, type Selection, toggle, toggleLoaded, toggleRange } from '../../../lib/selection.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { toast, undoable, useChanges } from '../../../ui/index.ts'
import { rememberedReplay, rememberFound } from '../found-replays.ts'
import { compactReplays, type ReplaysSearch } from '../model/list-search.ts'
import { clicksSoughtBy } from '../model/replay-search.ts'
import { heldRows } from './held-rows.ts'
import { leadOf } from './replay-row.ts'
import { replaysKey } from '../query-keys.ts'
import { removeReplays, type ReplayRow, replaysQuery } from './queries.ts'

export type ListWork = ReturnType<typeof useListWork>

const NO_ROWS: readonly ReplayRow[] = []
const NONE: ReadonlySet<string> = new Set()

/** The same id may have come to two projects. */
export const keyOf = ({ id, project_id: project }: Pick<ReplayRow, 'id' | 'project_id'>): string => `${project}-${id}`

const foundIn = (
  org: string,
  search: ReplaysSearch,
  rows: readonly ReplayRow[],
  hasMore: boolean,
): Parameters<typeof rememberFound>[0] => {
  const clicks = clicksSoughtBy(search)
  const replays = rows.map((row) => ({
    key: keyOf(row),
    id: row.id,
    project: row.project_id,
    lead: leadOf(row, clicks),
  }))
  return { org, query: search.query, hasMore, replays }
}

/** The list on screen, what is selected in it, and which row the keyboard is at. */
export function useListWork(org: string, search: ReplaysSearch) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayDelete = useAccess(org)('event:admin')
  const query = useInfiniteQuery(replaysQuery(org, search))
  const { leaving, leave, bringBack } = useLeaving()
  const asked = useMemo(
    () => uniqueRows(query.data?.pages.map((page) => page.rows)).filter((row) => !leaving.has(keyOf(row))),
    [query.data, leaving],
  )
  const { rows, order, waiting, showWaiting } = useHeldRows(asked, query.isPlaceholderData ? null : search)
  const [current, setCurrent] = useState<string | null>(rememberedReplay)
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [deleting, setDeleting] = useState(false)
  const { busy, during } = useChanges(() => void client.invalidateQueries({ queryKey: replaysKey(org) }))
  const loaded = keepOnly(selection, order)
  if (loaded !== selection) setSelection(loaded)
  const currentIndex = current === null ? -1 : order.indexOf(current)

  const change = (part: Partial<ReplaysSearch>): void => {
    setSelection(NOTHING)
    void navigate({
      to: '/organizations/$org/replays',
      params: { org },
      search: compactReplays({ ...search, ...part }),
    })
  }
  /** The selection; without one, the row of the keyboard. */
  const target = (): readonly ReplayRow[] =>
    loaded.ids.size > 0
      ? rows.filter((row) => loaded.ids.has(keyOf(row)))
      : rows.filter((row) => keyOf(row) === current)

  /** Before one of the rows is opened: the player leads from it to the others. */
  const remember = (key: string): void => rememberFound(foundIn(org, search, rows, query.hasNextPage), key)

  return {
    org,
    search,
    query,
    rows,
    order,
    mayDelete,
    busy,
    change,
    /** How many came meanwhile that are not shown yet. */
    waiting,
    showWaiting,
    readable: query.data?.pages[0]?.text ?? null,
    /** Key of the row that the keyboard is at. */
    current,
    setCurrent,
    currentIndex,
    selected: loaded.ids,
    selection: loaded,
    clear: () => setSelection(NOTHING),
    selectAll: () => setSelection(toggleLoaded(NOTHING, order)),
    toggleAll: () => setSelection(toggleLoaded(loaded, order)),
    select: (key: string, withShift: boolean) => {
      setCurrent(key)
      setSelection(withShift ? toggleRange(loaded, order, key) : toggle(loaded, order, key))
    },
    remember,
    open: (key: string) => {
      const row = rows.find((one) => keyOf(one) === key)
      if (row === undefined) return
      remember(key)
      void navigate({
        to: '/organizations/$org/replays/$replay',
        params: { org, replay: row.id },
        search: leadOf(row, clicksSoughtBy(search)),
      })
    },
    target,
    deleting,
    setDeleting,
    /** All that is listed of a project is being deleted, */
    letGo: (project: string): void => {
      setSelection(NOTHING)
      leave(rows.flatMap((row) => (row.project_id === project ? [keyOf(row)] : [])))
    },
    /** or was not, after all. */
    bringBack,
    remove: async () => {
      const chosen = target()
      setDeleting(false)
      const gone = new Set(chosen.map(keyOf))
      const next = order.slice(Math.max(currentIndex, 0)).find((key) => !gone.has(key))
      setCurrent(next ?? order.findLast((key) => !gone.has(key)) ?? null)
      setSelection(NOTHING)
      leave(gone)
      const isDone = await during('Deleting', () => removeReplays(org, chosen).then(() => true))
      if (isDone === null) return bringBack(gone)
      // Nothing brings a recording back: `z` says so, and leaves alone what came before it.
      undoable(() => toast({ title: 'The deletion of replays cannot be taken back' }))
      toast({ title: chosen.length === 1 ? 'Replay deleted' : `${chosen.length} replays deleted` })
    },
  }
}

/** What is being deleted leaves the screen at once: a row that is still there could be opened and would lead nowhere. */
function useLeaving() {
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(NONE)
  return {
    leaving,
    leave: (keys: Iterable<string>): void => setLeaving((before) => new Set([...before, ...keys])),
    /** @param keys all, unless they are named */
    bringBack: useCallback(
      (keys?: ReadonlySet<string>) =>
        setLeaving((before) => (keys === undefined ? NONE : new Set([...before].filter((key) => !keys.has(key))))),
      [],
    ),
  }
}

/** Rows as they are now, in the places that they had when they came. @param search null while another one's rows stand there */
function useHeldRows(asked: readonly ReplayRow[], search: ReplaysSearch | null) {
  const [held, setHeld] = useState<{ readonly of: string; readonly order: readonly string[] } | null>(null)
  const of = search === null ? null : JSON.stringify(search)
  const all = useMemo(() => asked.map(keyOf), [asked])
  const { order, waiting } = heldRows(of !== null && held?.of === of ? held.order : null, all)
  // While rendering: what stands on the screen is what the next answer is held against.
  if (of !== null && (held?.of !== of || held.order !== order)) setHeld({ of, order })
  const rows = useMemo(() => {
    const byKey = new Map(asked.map((row) => [keyOf(row), row]))
    return order.flatMap((key) => byKey.get(key) ?? [])
  }, [asked, order])
  return { rows, order, waiting, showWaiting: () => setHeld(of === null ? null : { of, order: all }) }
}

/** A row can stand on two pages when the list moved between their requests. */
function uniqueRows(pages: readonly (readonly ReplayRow[])[] | undefined): readonly ReplayRow[] {
  if (pages === undefined) return NO_ROWS
  return [...new Map(pages.flat().map((row) => [keyOf(row), row])).values()]
}

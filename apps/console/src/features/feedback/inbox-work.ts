import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'

import { NOTHING, type Selection, keepOnly, toggle, toggleLoaded, toggleRange } from '../../lib/selection.ts'
import { useAccess } from '../../lib/shared-queries.ts'
import { useSearchAhead } from '../../ui/index.ts'
import { useFeedbackActions } from './actions.ts'
import { useInboxRows } from './inbox-rows.ts'
import { type InboxSearch, compactInbox, readInbox } from './model/inbox-search.ts'

export type InboxWork = ReturnType<typeof useInboxWork>

/**
 * The list on screen, what is selected in it, which row the keyboard is at, and which dialog is open.
 *
 * @param scrollTo brings a row of the list into view
 */
export function useInboxWork(org: string, search: InboxSearch, scrollTo: (id: string) => void) {
  const navigate = useNavigate()
  const may = useAccess(org)
  const list = useInboxRows(org, search)
  const { known, openRow, order, rows } = list
  const actions = useFeedbackActions(org, known)
  const [current, setCurrent] = useState<string | null>(search.report === '' ? null : search.report)
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [assigning, setAssigning] = useState<Element | null>(null)
  const [deleting, setDeleting] = useState(false)
  const ahead = useSearchAhead(search, readInbox)
  /** The report that is open or will be in a moment; without one the row of the keyboard. */
  const at = (): string | null => {
    const { report } = ahead()
    if (report === '') return current
    return report === search.report ? (openRow?.id ?? report) : report
  }
  const place = usePlace(order, openRow?.id ?? current)

  const loaded = keepOnly(selection, order)
  if (loaded !== selection) setSelection(loaded)
  const clear = () => setSelection(NOTHING)
  const change = (next: Partial<InboxSearch>, replace = false) => {
    const to = compactInbox({ ...ahead(), ...next })
    void navigate({ to: '/organizations/$org/feedback', params: { org }, search: to, replace })
  }
  const open = (id: string) => {
    setCurrent(id)
    change({ report: id }, ahead().report !== '')
  }
  const comeBack = useComeBack((was, unread) => {
    if (unread === openRow?.id) void actions.change([unread], { isRead: false }, true)
    open(was)
  })
  return {
    org,
    search,
    may,
    ...list,
    actions,
    /** Id of the row that the keyboard is at. */
    current,
    setCurrent,
    at,
    /** Ids of the selected rows. */
    selected: loaded.ids,
    /** The selected rows, in the order of the list. */
    chosen: rows.filter((row) => loaded.ids.has(row.id)),
    selectAll: () => setSelection(toggleLoaded(NOTHING, order)),
    clear,
    assigning,
    setAssigning,
    deleting,
    setDeleting,
    open,
    close: () => change({ report: '' }),
    narrow: (next: Partial<InboxSearch>) => {
      clear()
      change({ ...next, report: '' })
    },
    /** The keyboard goes so many rows down, and opens the report there. */
    move: (step: number) => {
      const found = place.of(at())
      const from = found ?? place.last() - (step > 0 ? 1 : 0)
      const id = order[Math.min(Math.max(from + step, 0), order.length - 1)]
      if (id === undefined) return
      scrollTo(id)
      open(id)
    },
    select: (id: string, withShift: boolean) => {
      setSelection(withShift ? toggleRange(selection, order, id) : toggle(selection, order, id))
      setCurrent(id)
    },
    /** The selection; without one the open report; without that the row of the keyboard. */
    target: (): readonly string[] => {
      if (loaded.ids.size > 0) return [...loaded.ids]
      const id = at()
      return id === null ? [] : [id]
    },
    /** After a change that takes rows away, the next report is shown. Returns what shows again the one that was open. */
    leave: (ids: readonly string[]): (() => void) => {
      const gone = new Set(ids)
      const after = order.slice(place.of(at()) ?? place.last())
      const next = after.find((id) => !gone.has(id)) ?? order.findLast((id) => !gone.has(id)) ?? null
      clear()
      setCurrent(next)
      const was = ahead().report
      if (was === '') return () => setCurrent(ids[0] ?? null)
      change({ report: next ?? '' }, true)
      // Nobody chose the next one: it was not read because it was shown.
      const unread = known.find((row) => row.id === next)?.isRead === false ? next : null
      return () => comeBack.current?.(was, unread)
    },
  }
}

/** Where the keyboard is, and was: a report that was read leaves "unread", and the keys go on from its place. */
function usePlace(order: readonly string[], shown: string | null) {
  const last = useRef(0)
  const here = order.indexOf(shown ?? '')
  useEffect(() => {
    if (here !== -1) last.current = here
  }, [here])
  return {
    last: () => last.current,
    /** Null for what is not in the list. */
    of: (id: string | null): number | null => {
      const found = order.indexOf(id ?? '')
      return found === -1 ? null : found
    },
  }
}

type ComeBack = (was: string, unread: string | null) => void

/** Asked long after a change, when the address is another; null once the inbox is gone. */
function useComeBack(now: ComeBack): RefObject<ComeBack | null> {
  const latest = useRef<ComeBack | null>(null)
  useEffect(() => {
    latest.current = now
    return () => {
      latest.current = null
    }
  })
  return latest
}

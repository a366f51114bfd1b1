import { COUNTED_ISSUES } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'

import { useAccess } from '../../lib/shared-queries.ts'
import { useIssueActions, useIssueMarks } from './actions.ts'
import type { BulkChange } from './bulk.ts'
import { rememberedRow, rememberRow } from './last-row.ts'
import { NOTHING, type Selection, countSelected, keepOnly, toggle, toggleRange } from '../../lib/selection.ts'
import { type StreamSearch, compactUrl } from './model/stream-search.ts'
import type { Target } from './queries.ts'
import { matchCountQuery } from './tab-counts.ts'
import { useStream } from './stream.ts'

/** Scrolled less than this is "at the top": new rows may come in. */
const AT_TOP_PX = 24

/** Whose assignee is being chosen: these issues or, with null, the selected ones; and what the list opens beside. */
export interface Assigning {
  readonly ids: readonly string[] | null
  readonly anchor: Element
}

export type StreamWork = ReturnType<typeof useStreamWork>

/** The list on screen, what is selected in it, which row the keyboard is at, and which dialog is open. */
export function useStreamWork(org: string, search: StreamSearch) {
  const navigate = useNavigate()
  const may = useAccess(org)
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [current, setCurrent] = useState<string | null>(rememberedRow)
  const [assigning, setAssigning] = useState<Assigning | null>(null)
  const [deleting, setDeleting] = useState(false)
  const [peeking, setPeeking] = useState(false)
  const [bulk, setBulk] = useState<BulkChange | null>(null)
  const pointerInside = useRef(false)

  const isCalm = () =>
    globalThis.scrollY < AT_TOP_PX &&
    !pointerInside.current &&
    selection === NOTHING &&
    assigning === null &&
    !deleting &&
    bulk === null &&
    !peeking
  const stream = useStream(org, search, isCalm)
  const { issues } = stream
  const { countsAll, matches } = useMatches(org, search, stream.matches ?? issues.length, selection)
  const actions = useIssueActions(org, issues, matches)
  const mark = useIssueMarks(org)
  const order = useMemo(() => issues.map((issue) => issue.id), [issues])
  const loaded = keepOnly(selection, order)
  if (loaded !== selection) setSelection(loaded)
  const currentIndex = current === null ? -1 : order.indexOf(current)

  return {
    org,
    search,
    may,
    stream,
    issues,
    matches,
    /** Whether `matches` is all of them, or as many as were counted. */
    countsAll,
    order,
    actions,
    mark,
    selection,
    setSelection,
    /** Id of the row that the keyboard is at. */
    current,
    setCurrent,
    currentIndex,
    assigning,
    setAssigning,
    deleting,
    setDeleting,
    peeking,
    setPeeking,
    /** What is to be done with everything that matches, while it is shown before. */
    bulk,
    setBulk,
    setPointerInside: (isInside: boolean) => {
      pointerInside.current = isInside
    },
    change: (next: Partial<StreamSearch>) => {
      setSelection(NOTHING)
      void navigate({
        to: '/organizations/$org/issues',
        params: { org },
        search: compactUrl({ ...search, ...next }),
      })
    },
    open: (id: string) => {
      rememberRow(id)
      void navigate({
        to: '/organizations/$org/issues/$issue',
        params: { org, issue: id },
        search: compactUrl(search),
      })
    },
    select: (id: string, withShift: boolean) => {
      setCurrent(id)
      setSelection(withShift ? toggleRange(selection, order, id) : toggle(selection, order, id))
    },
    /** The selection; without one, the row of the keyboard. */
    target: (): Target | null => {
      if (selection.kind === 'all') return { matching: search }
      if (selection.ids.size > 0) return { ids: order.filter((id) => selection.ids.has(id)) }
      return current === null || currentIndex === -1 ? null : { ids: [current] }
    },
    /** After a change that takes rows away the keyboard goes on with the next row that stays. */
    leave: (ids: readonly string[]) => {
      const gone = new Set(ids)
      const next =
        order.slice(Math.max(currentIndex, 0)).find((id) => !gone.has(id)) ?? order.findLast((id) => !gone.has(id))
      setCurrent(next ?? null)
      setSelection(NOTHING)
    },
    selectedCount: countSelected(selection, matches),
  }
}

/** How many match. Beyond what a page counts, what a change of all would reach is asked for once somebody selects. */
function useMatches(org: string, search: StreamSearch, hits: number, selection: Selection) {
  const isMore = hits === COUNTED_ISSUES
  const counted = useQuery({ ...matchCountQuery(org, search), enabled: isMore && selection !== NOTHING })
  const exact = isMore ? (counted.data ?? null) : hits
  return { matches: exact ?? hits, countsAll: exact !== null }
}

import type { Feedback } from '@firsthand/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { InboxSearch } from './model/inbox-search.ts'
import { inboxQuery, mailboxCountsQuery, reportQuery } from './queries.ts'

const NO_ROWS: readonly Feedback[] = []

/** The reports of the mailbox as far as they are loaded, the counts of all mailboxes, and the open report. */
export function useInboxRows(org: string, search: InboxSearch) {
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
  return {
    query,
    counts,
    rows,
    /** Ids of the rows, as they stand. */
    order,
    /** How many reports the mailbox has, also what is not loaded. */
    hits: query.data?.pages[0]?.hits ?? rows.length,
    isOpen,
    openRow,
    /** Every report on screen: the rows, and the open one. */
    known: openRow === undefined || rows.includes(openRow) ? rows : [...rows, openRow],
  }
}

/** A row can stand on two pages when the list moved between their requests. */
function uniqueRows(pages: readonly (readonly Feedback[])[] | undefined): readonly Feedback[] {
  if (pages === undefined) return NO_ROWS
  return [...new Map(pages.flat().map((row) => [row.id, row])).values()]
}

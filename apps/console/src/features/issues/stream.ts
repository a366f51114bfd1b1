import type { Issue, LiveFact } from '@firsthand/contract'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'

import { useLiveFacts } from './live/index.ts'
import { arrivals, uniqueIssues } from './model/rows.ts'
import type { StreamSearch } from './model/stream-search.ts'
import { type StreamData, fetchIssueStats, fetchStreamPage, streamQuery } from './queries.ts'

/** Live facts are answered at most this often, however many events arrive. */
const REFRESH_EVERY_MS = 1500
/** A new row keeps its highlight for this long. */
const HIGHLIGHT_MS = 4000
/** Ids that one request for counts may carry (the contract's bound). */
const MAX_STATS = 100

type StreamPage = Awaited<ReturnType<typeof fetchStreamPage>>

export interface Stream {
  readonly issues: readonly Issue[]
  /** Everything that matches, also what is not loaded; null when the server did not count. */
  readonly matches: number | null
  readonly state: 'loading' | 'failed' | 'ready'
  readonly error: Error | null
  readonly retry: () => void
  /** The rows are those of the search before, while the new ones are on their way. */
  readonly isOutdated: boolean
  readonly hasMore: boolean
  readonly loadsMore: boolean
  readonly loadMore: () => void
  /** New issues that wait for a click, because showing them would move what is under the pointer. */
  readonly waiting: number
  readonly showWaiting: () => void
  readonly highlighted: ReadonlySet<string>
}

/**
 * The list of issues with its live updates: counts of visible rows move in place, new issues appear on top when nobody is
 * in the middle of something (`isCalm`), else they wait behind a pill.
 */
export function useStream(org: string, search: StreamSearch, isCalm: () => boolean): Stream {
  const client = useQueryClient()
  const options = streamQuery(org, search)
  const query = useInfiniteQuery(options)
  const issues = useMemo(() => uniqueIssues(query.data?.pages.map((page) => page.data) ?? []), [query.data])
  const [waiting, setWaiting] = useState<{ readonly key: string; readonly page: StreamPage } | null>(null)
  const [highlighted, setHighlighted] = useState<ReadonlySet<string>>(new Set())
  const latest = useRef({ issues, isCalm, search })
  useEffect(() => {
    latest.current = { issues, isCalm, search }
  })

  const key = JSON.stringify(options.queryKey)
  // What came for another search waits no longer.
  const fresh = waiting?.key === key ? waiting.page : null
  const showPage = useRef((page: StreamPage) => void page)
  useEffect(() => {
    showPage.current = (page) => {
      const incoming = arrivals(latest.current.issues, page.data)
      client.setQueryData<StreamData>(options.queryKey, (data) =>
        data === undefined ? data : { ...data, pages: [page, ...data.pages.slice(1)] },
      )
      setWaiting(null)
      if (incoming.length > 0) setHighlighted(new Set(incoming))
    }
  })
  useEffect(() => {
    if (highlighted.size === 0) return undefined
    const timer = setTimeout(() => setHighlighted(new Set()), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [highlighted])

  useLiveRefresh(async (changed) => {
    const now = latest.current
    const page = await fetchStreamPage(org, now.search, null)
    // A page of the search before, come late, is none of this one.
    if (latest.current.search !== now.search) return
    if (now.isCalm()) {
      showPage.current(page)
      return
    }
    if (arrivals(now.issues, page.data).length > 0) setWaiting({ key, page })
    const newer = new Map(page.data.map((issue) => [issue.id, issue]))
    const shown = new Set(now.issues.map((issue) => issue.id))
    const further = changed.filter((id) => shown.has(id) && !newer.has(id)).slice(0, MAX_STATS)
    const stats = further.length === 0 ? [] : await fetchIssueStats(org, now.search, further)
    const counts = new Map(stats.map((entry) => [entry.id, entry]))
    client.setQueryData<StreamData>(options.queryKey, (data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((loaded) => ({
              ...loaded,
              hits: page.hits,
              data: loaded.data.map((issue) => newer.get(issue.id) ?? withStats(issue, counts.get(issue.id))),
            })),
          },
    )
  })

  return {
    issues,
    matches: query.data?.pages[0]?.hits ?? null,
    state: query.data === undefined ? (query.isError ? 'failed' : 'loading') : 'ready',
    error: query.error,
    retry: () => void query.refetch(),
    isOutdated: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    loadsMore: query.isFetchingNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
    },
    waiting: fresh === null ? 0 : arrivals(issues, fresh.data).length,
    showWaiting: () => {
      if (fresh !== null) showPage.current(fresh)
    },
    highlighted,
  }
}

type Stats = Awaited<ReturnType<typeof fetchIssueStats>>[number]

function withStats(issue: Issue, stats: Stats | undefined): Issue {
  if (stats === undefined) return issue
  return {
    ...issue,
    count: stats.count,
    userCount: stats.userCount,
    lastSeen: stats.lastSeen ?? issue.lastSeen,
    stats: stats.stats,
    isUnhandled: stats.isUnhandled,
  }
}

/** Collects changed ids and hands them over at most once per `REFRESH_EVERY_MS`; a failed refresh waits for the next fact. */
function useLiveRefresh(refresh: (changed: readonly string[]) => Promise<void>): void {
  const latest = useRef(refresh)
  useEffect(() => {
    latest.current = refresh
  })
  const pending = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLiveFacts((fact: LiveFact) => {
    for (const id of fact.issueIds) pending.current.add(id)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const changed = [...pending.current]
      pending.current.clear()
      // A failed refresh shows nothing old as new: the next live update, or the list's own refetch, asks again.
      void latest.current(changed).catch(() => undefined)
    }, REFRESH_EVERY_MS)
  })
}

import type { Issue, IssueChange } from '@firsthand/contract'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'

import { useAccess } from '../../../lib/shared-queries.ts'
import { toast, useChanges } from '../../../ui/index.ts'
import type { ToldOfChange } from '../actions.ts'
import type { StatusChoice } from '../components/StatusMenus.tsx'
import { issueKeys } from '../model/keys.ts'
import { uniqueIssues } from '../model/rows.ts'
import { isResolving } from '../model/told.ts'
import { undoSteps } from '../model/undo.ts'
import { changeIssues, streamKey, streamQuery } from '../queries.ts'
import { readAhead } from './queries.ts'
import { REVIEW_SEARCH } from './review-search.ts'

/** It is known, and needs nothing now: it leaves the queue and stays open. */
export const KEEP: StatusChoice = { change: { status: 'unresolved', substatus: 'ongoing' }, done: 'kept open' }

export const SNOOZE: StatusChoice = {
  change: {
    status: 'ignored',
    substatus: 'archived_until_condition_met',
    statusDetails: { ignoreDuration: 24 * 60 },
  },
  done: 'snoozed for a day',
}

/** So many are there before one comes to them. */
const AHEAD = 3

const useStream = (org: string) => useInfiniteQuery(streamQuery(org, REVIEW_SEARCH))

function useMoreWhenShort(
  { fetchNextPage, hasNextPage, isFetching }: ReturnType<typeof useStream>,
  waiting: number,
): void {
  const isShort = waiting < AHEAD && hasNextPage && !isFetching
  useEffect(() => {
    if (isShort) void fetchNextPage()
  }, [isShort, fetchNextPage])
}

/** Asks for what stands on a card before one comes to it. */
function useReadAhead(org: string, next: Issue | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (next !== undefined) readAhead(client, org, next)
  }, [client, org, next])
}

export type ReviewWork = ReturnType<typeof useReview>

/** What waits to be looked at, one issue at a time. */
export function useReview(org: string) {
  const client = useQueryClient()
  const query = useStream(org)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [wanted, setWanted] = useState<string | null>(null)
  /** What happened last, for those who hear the page. */
  const [said, setSaid] = useState('')
  /** Who hears that it is resolved is being asked, or (without a choice) changed until they do. */
  const [telling, setTelling] = useState<{ readonly issue: Issue; readonly choice: StatusChoice | null } | null>(null)
  const { during, undo } = useChanges(() => {
    void client.invalidateQueries({ queryKey: streamKey(org) })
    void client.invalidateQueries({ queryKey: issueKeys.lists(org) })
    void client.invalidateQueries({ queryKey: issueKeys.pages(org) })
  })
  const all = useMemo(() => uniqueIssues(query.data?.pages.map((page) => page.data) ?? []), [query.data])
  const waiting = all.filter((issue) => !left.has(issue.id))
  const index = Math.max(
    0,
    waiting.findIndex((issue) => issue.id === wanted),
  )
  const current = waiting[index] ?? null
  const hits = query.data?.pages[0]?.hits ?? null
  useMoreWhenShort(query, waiting.length)

  const next = waiting[index + 1]
  useReadAhead(org, next)

  const go = (step: number): void => {
    const other = waiting[index + step]
    if (other === undefined) return
    setWanted(other.id)
    setSaid(`${other.shortId}: ${other.title}`)
  }
  const bringBack = (issue: Issue): void => {
    setLeft((gone) => new Set([...gone].filter((id) => id !== issue.id)))
    setWanted(issue.id)
  }
  const change = async (
    issue: Issue,
    wish: IssueChange,
    done: string,
    leaves: boolean,
    told: ToldOfChange = {},
  ): Promise<void> => {
    // The next one may be decided while this one is still on its way.
    const shown = leaves ? (next ?? waiting[index - 1]) : issue
    if (leaves) {
      setLeft((gone) => new Set([...gone, issue.id]))
      setWanted(shown?.id ?? null)
    }
    const title = `${issue.shortId} ${done}`
    const changed = await during('The change', () => changeIssues(org, { ids: [issue.id] }, wish))
    if (changed === null) return bringBack(issue)
    setSaid(`${title}. ${!leaves ? '' : shown === undefined ? 'Nothing else waits.' : `Next: ${shown.title}`}`)
    const steps = undoSteps(wish, [issue.id], new Map([[issue.id, issue]]), null) ?? []
    toast({
      title,
      ...told,
      action: undo(title, async () => {
        for (const step of steps) await changeIssues(org, { ids: step.ids }, step.change)
        bringBack(issue)
        setSaid(`Undone: ${title}`)
      }),
    })
  }
  return {
    org,
    mayWrite: useAccess(org)('event:write'),
    state: query.data === undefined ? (query.isError ? ('failed' as const) : ('loading' as const)) : ('ready' as const),
    error: query.error,
    retry: () => void query.refetch(),
    said,
    current,
    /** Of those that wait, the first is 1. */
    place: current === null ? 0 : index + 1,
    count: Math.max(waiting.length, (hits ?? 0) - (all.length - waiting.length)),
    hasNext: next !== undefined,
    hasPrevious: index > 0,
    go,
    telling,
    stopTelling: () => setTelling(null),
    /** As on the page of the issue: before people are told of it, it is asked who, when and what. */
    choose: (choice: StatusChoice): void => {
      if (current === null) return
      if (isResolving(choice.change) && current.reporterCount > 0) setTelling({ issue: current, choice })
      else void change(current, choice.change, choice.done, true)
    },
    resolve: (issue: Issue, choice: StatusChoice, description: string): void => {
      setTelling(null)
      const edit = { label: 'Edit', run: () => setTelling({ issue, choice: null }) }
      void change(issue, choice.change, choice.done, true, { description, other: edit })
    },
    assign: (assignment: IssueChange, name: string | null): void => {
      if (current !== null)
        void change(current, assignment, name === null ? 'unassigned' : `assigned to ${name}`, false)
    },
  }
}

import { applyIssueSet, freezeIssues, undoIssueSet, type Answer, type IssueChange } from '@firsthand/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { toast, useChanges } from '../../ui/index.ts'
import { bulkFailureOf } from './model/bulk-failure.ts'
import { issueKeys } from './model/keys.ts'
import type { StreamSearch } from './model/stream-search.ts'
import { isResolving, tellsWords } from './model/told.ts'
import { filtersOfSearch, streamKey } from './queries.ts'

/** What is to be done with everything that a search finds, and the words of its toast: "resolved". */
export interface BulkChange {
  readonly search: StreamSearch
  readonly change: IssueChange
  readonly done: string
  /** Tells one asking from the next: each freezes anew. */
  readonly askedAt: number
}

export type FrozenIssues = Answer<typeof freezeIssues>

/** Freezes what is found now, once: what is shown is what is changed. */
export const frozenQuery = (org: string, { askedAt, search }: BulkChange) =>
  queryOptions({
    queryKey: issueKeys.frozen(org, askedAt),
    queryFn: ({ signal }) =>
      api.call(freezeIssues, { params: { org }, body: { ...filtersOfSearch(search), sort: search.sort }, signal }),
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  })

interface SetParams {
  readonly org: string
  readonly set: string
}

/**
 * Changes frozen issues; the toast takes it back, for each issue to what it was. One that fails says so in its place, and
 * goes on from where it was interrupted when it is asked for again.
 */
export function useBulkChange(org: string) {
  const client = useQueryClient()
  const [failure, setFailure] = useState<unknown>(null)
  const { busy, during, undo } = useChanges(() => {
    void client.invalidateQueries({ queryKey: streamKey(org) })
    void client.invalidateQueries({ queryKey: issueKeys.pages(org) })
    void client.invalidateQueries({ queryKey: issueKeys.lists(org) })
  })
  const takeBackOf = (params: SetParams) => async (): Promise<void> => {
    const { left } = await api.call(undoIssueSet, { params })
    if (left > 0) toast({ title: `${issuesText(left)} were changed since, and stay as they are` })
  }
  return {
    busy,
    /** Why the last try was not finished; null when none failed. */
    failure,
    /** What was changed by then stays; it can be taken back. */
    leave: (frozen: FrozenIssues): void => {
      const title = failure === null ? null : bulkFailureOf(failure).left
      if (title !== null) toast({ title, action: undo(title, takeBackOf({ org, set: frozen.id })) })
    },
    /** @returns whether it was done */
    change: async (frozen: FrozenIssues, { change, done }: BulkChange, tellsNobody: boolean): Promise<boolean> => {
      const params = { org, set: frozen.id }
      const { tell: _oneByOne, ...wish } = change
      const body = { ...wish, ...(tellsNobody ? { tell: { when: 'never' as const } } : {}) }
      setFailure(null)
      const result = await during('The change', () =>
        api.call(applyIssueSet, { params, body }).catch((error: unknown) => {
          setFailure(error)
          return null
        }),
      )
      if (result === null) return false
      const title = `${issuesText(result.changed)} ${done}`
      const said = [
        ...(result.gone > 0 ? [`${issuesText(result.gone)} were deleted or merged meanwhile.`] : []),
        ...(tellsNobody
          ? ['Nobody who wrote is told.']
          : isResolving(change) && frozen.reporterCount > 0
            ? [tellsWords(frozen.reporterCount, change)]
            : []),
      ]
      toast({
        title,
        ...(said.length > 0 ? { description: said.join(' ') } : {}),
        action: undo(title, takeBackOf(params)),
      })
      return true
    },
  }
}

export const issuesText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'issue' : 'issues'}`

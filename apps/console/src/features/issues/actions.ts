import type { Issue, IssueChange, IssueDetail } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'

import { describeError } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { changeShown, searchedFor } from '../../lib/shown-data.ts'
import { issueKeys } from './model/keys.ts'
import { toast, type ToastOptions, undoable, useChanges } from '../../ui/index.ts'
import { filtersOf, isFilterFor, valuesOf } from '../search/model/index.ts'
import { isResolving, tellsWords } from './model/told.ts'
import { undoSteps } from './model/undo.ts'
import {
  type StreamData,
  type Target,
  bringBackIssues,
  changeIssues,
  fetchHashes,
  removeIssues,
  streamKey,
  unmerge,
} from './queries.ts'

/** How to take a merge back is asked before it, for each issue; beyond this many there is no undo. */
const MAX_UNDOABLE_MERGE = 25

export type ToldOfChange = Pick<ToastOptions, 'description' | 'other'>

export interface IssueActions {
  readonly busy: boolean
  /** @param told what else the toast says, and offers beside the undo */
  readonly change: (target: Target, change: IssueChange, done: string, told?: ToldOfChange) => Promise<boolean>
  readonly merge: (ids: readonly string[]) => Promise<string | null>
  readonly remove: (target: Target) => Promise<boolean>
}

/**
 * Changes to issues from any screen: the list on screen changes at once, a toast says what happened and takes it back.
 *
 * @param known rows as they are on screen, for undo
 * @param matches how many "all that match" are
 */
export function useIssueActions(org: string, known: readonly Issue[], matches = 0): IssueActions {
  const client = useQueryClient()
  const { busy, during, undo } = useChanges(() => {
    void client.invalidateQueries({ queryKey: streamKey(org) })
    void client.invalidateQueries({ queryKey: issueKeys.lists(org) })
    void client.invalidateQueries({ queryKey: issueKeys.pages(org) })
  })
  const rows = new Map(known.map((issue) => [issue.id, issue]))
  const nameOf = (target: Target) => {
    const count = 'matching' in target ? matches : target.ids.length
    const first = 'matching' in target ? undefined : rows.get(target.ids[0] ?? '')
    return count === 1 && first !== undefined
      ? first.shortId
      : `${formatCount(count)} ${count === 1 ? 'issue' : 'issues'}`
  }
  return {
    busy,
    change: async (target, change, done, told = tellsOf(target, change, rows)) => {
      const title = `${nameOf(target)} ${done}`
      const bringBack = dropRows(client, org, target, change)
      const result = await during('The change', () => changeIssues(org, target, change))
      if (result === null) {
        bringBack()
        return false
      }
      const changed = result.changed ?? ('ids' in target ? target.ids : null)
      const steps =
        changed === null
          ? null
          : undoSteps(change, changed, rows, 'matching' in target ? statusOf(target.matching.query) : null)
      const action =
        steps === null
          ? {}
          : {
              action: undo(title, () =>
                Promise.all(steps.map((step) => changeIssues(org, { ids: step.ids }, step.change))),
              ),
            }
      toast({ title, ...told, ...action })
      return true
    },
    merge: async (ids) => {
      const result = await during('Merging', async () => {
        const undoable = ids.length <= MAX_UNDOABLE_MERGE
        const hashes = new Map(
          undoable ? await Promise.all(ids.map(async (id) => [id, await fetchHashes(org, id)] as const)) : [],
        )
        const { merge } = await changeIssues(org, { ids }, { merge: true })
        return { merge, hashes }
      })
      if (result === null || result.merge === null) return null
      const { parent, children } = result.merge
      const separate = async () => {
        for (const child of children) await unmerge(org, parent, result.hashes.get(child) ?? [])
      }
      const title = `${ids.length} issues merged into ${rows.get(parent)?.shortId ?? 'one'}`
      toast({ title, ...(result.hashes.size === 0 ? {} : { action: undo(title, separate) }) })
      return parent
    },
    remove: async (target) => {
      const bringBack = dropRows(client, org, target, null)
      const result = await during('Deleting', () => removeIssues(org, target).then(() => true))
      if (result === null) {
        bringBack()
        return false
      }
      const title = `${nameOf(target)} deleted`
      toast({
        title,
        ...('ids' in target ? { action: undo(title, () => bringBackIssues(org, target.ids)) } : {}),
      })
      return true
    },
  }
}

/** What a person notes for themselves: it moves nothing for anybody else. */
export type IssueMark = Pick<IssueChange, 'hasSeen' | 'isBookmarked' | 'isSubscribed'>

/** Rows and pages that are on screen change at once; a failure is told, unless it is only that somebody looked. */
export function useIssueMarks(org: string): (ids: readonly string[], mark: IssueMark) => void {
  const client = useQueryClient()
  const save = (ids: readonly string[], mark: IssueMark): void => {
    if (ids.length === 0) return
    const marked = new Set(ids)
    const patch = <Row extends Issue>(issue: Row): Row => (marked.has(issue.id) ? { ...issue, ...mark } : issue)
    client.setQueriesData<StreamData>(
      { queryKey: streamKey(org) },
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, data: page.data.map(patch) })) },
    )
    client.setQueriesData<IssueDetail>(
      { queryKey: issueKeys.pages(org), predicate: ({ queryKey }) => queryKey.at(-1) === 'detail' },
      (issue) => issue && patch(issue),
    )
    const saving = changeIssues(org, { ids }, mark)
    if (mark.isBookmarked === undefined && mark.isSubscribed === undefined) {
      // Nobody needs to hear that it was not noted; whoever looks again is noted then.
      saving.catch(() => undefined)
      return
    }
    // What was asked for before the change may be answered after it, and show what was before: so it is asked for again.
    const askAgain = (): void => {
      void client.invalidateQueries({ queryKey: streamKey(org) })
      void client.invalidateQueries({ queryKey: issueKeys.pages(org) })
    }
    saving.then(askAgain, (error: unknown) => {
      const what = mark.isBookmarked === undefined ? 'subscription' : 'bookmark'
      toast({ title: `The ${what} could not be saved`, description: describeError(error).detail, tone: 'error' })
      askAgain()
    })
  }
  return (ids, mark) => {
    save(ids, mark)
    const { isBookmarked, isSubscribed } = mark
    if (ids.length === 0 || (isBookmarked === undefined && isSubscribed === undefined)) return
    const title =
      isBookmarked === undefined
        ? isSubscribed
          ? 'Subscribed'
          : 'Unsubscribed'
        : isBookmarked
          ? 'Bookmarked'
          : 'Bookmark removed'
    const { run, taken } = undoable(() => {
      save(ids, {
        ...(isBookmarked === undefined ? {} : { isBookmarked: !isBookmarked }),
        ...(isSubscribed === undefined ? {} : { isSubscribed: !isSubscribed }),
      })
      toast({ title: `Undone: ${title}` })
    })
    toast({ title, action: { label: 'Undo', run, doneElsewhere: taken } })
  }
}

/** Whoever resolves from a list has not seen who hears of it. */
function tellsOf(target: Target, change: IssueChange, rows: ReadonlyMap<string, Issue>): ToldOfChange {
  // Everything that matches is resolved by way of its preview, which says it and asks.
  if (!isResolving(change) || !('ids' in target)) return {}
  const people = target.ids.reduce((sum, id) => sum + (rows.get(id)?.reporterCount ?? 0), 0)
  return people === 0 ? {} : { description: tellsWords(people, change) }
}

/** The one state that a search asks for, or null. */
function statusOf(query: string): Issue['status'] | null {
  const states = filtersOf(query)
    .filter((token) => isFilterFor(token, 'is') && !token.negated)
    .map((token) => valuesOf(token).join())
  if (states.some((state) => ['unresolved', 'new', 'ongoing', 'regressed', 'escalating', 'for_review'].includes(state)))
    return 'unresolved'
  if (states.includes('resolved')) return 'resolved'
  return states.some((state) => state === 'archived' || state === 'ignored') ? 'ignored' : null
}

/** Rows that no longer belong into a list leave it before the server answers; what is returned brings them back. */
function dropRows(
  client: ReturnType<typeof useQueryClient>,
  org: string,
  target: Target,
  change: IssueChange | null,
): () => void {
  if (!('ids' in target)) return () => undefined
  const gone = new Set(target.ids)
  return changeShown<StreamData>(client, { queryKey: streamKey(org) }, (data, key) => {
    const status = statusOf(searchedFor(key, 'query'))
    const leaves =
      change === null || (change.status !== undefined && status !== null && status !== wanted(change.status))
    if (!leaves) return undefined
    return {
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        hits: page.hits === null ? null : Math.max(0, page.hits - gone.size),
        data: page.data.filter((issue) => !gone.has(issue.id)),
      })),
    }
  })
}

function wanted(status: NonNullable<IssueChange['status']>): Issue['status'] {
  return status === 'unresolved' || status === 'ignored' ? status : 'resolved'
}

import type { Feedback, FeedbackChange, FeedbackDetail, FeedbackIssue } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'

import { changeShown, searchedFor } from '../../lib/shown-data.ts'
import { toast, useChanges } from '../../ui/index.ts'
import { changeWords, leavesMailbox, undoSteps } from './model/report.ts'
import {
  type InboxData,
  changeReports,
  feedbackKey,
  inboxKey,
  linkIssue,
  mergeReports,
  removeReports,
  separateReports,
} from './queries.ts'

export interface FeedbackActions {
  readonly busy: boolean
  /**
   * Changes that move something get a toast with an undo; `quiet` ones (reading) do not.
   *
   * @param onUndo what else is taken back, on screen
   */
  readonly change: (
    ids: readonly string[],
    change: FeedbackChange,
    quiet?: boolean,
    onUndo?: () => void,
  ) => Promise<boolean>
  readonly merge: (parent: string, children: readonly string[]) => Promise<boolean>
  readonly remove: (ids: readonly string[]) => Promise<boolean>
  /** The report no longer belongs to the issue; the toast, and `z`, link it again. */
  readonly unlink: (report: string, issue: FeedbackIssue) => Promise<boolean>
  /** Any other work: its failure is told, and everything shown is refreshed. */
  readonly during: <Result>(what: string, work: () => Promise<Result>) => Promise<Result | null>
}

/**
 * Changes to reports: what is on screen changes at once, a toast says what happened and takes it back.
 *
 * @param known rows as they are on screen, for undo
 */
export function useFeedbackActions(org: string, known: readonly Feedback[]): FeedbackActions {
  const client = useQueryClient()
  const { busy, during, undo } = useChanges(() => {
    void client.invalidateQueries({ queryKey: feedbackKey(org) })
  })
  const count = (ids: readonly string[]): string => (ids.length === 1 ? 'Report' : `${ids.length} reports`)

  return {
    busy,
    during,
    change: async (ids, change, quiet = false, onUndo) => {
      const wanted = new Set(ids)
      const before = known.filter((row) => wanted.has(row.id))
      const bringBack = patch(client, org, wanted, change)
      const result = await during('The change', () => changeReports(org, ids, change))
      if (result === null) {
        bringBack()
        return false
      }
      if (quiet) return true
      const steps = undoSteps(change, before)
      toast({
        title: `${count(ids)} ${changeWords(change)}`,
        ...(before.length === ids.length
          ? {
              action: undo(() => {
                onUndo?.()
                return Promise.all(steps.map((step) => changeReports(org, step.ids, step.change)))
              }),
            }
          : {}),
      })
      return true
    },
    merge: async (parent, children) => {
      const result = await during('Merging', () => mergeReports(org, parent, children))
      if (result === null) return false
      toast({
        title: `${result.children.length + 1} reports merged`,
        action: undo(() => separateReports(org, result.children)),
      })
      return true
    },
    unlink: async (report, issue) => {
      const result = await during('Unlinking', () => linkIssue(org, report, null))
      if (result === null) return false
      toast({ title: `Unlinked from ${issue.shortId}`, action: undo(() => linkIssue(org, report, issue.id)) })
      return true
    },
    remove: async (ids) => {
      const result = await during('Deleting', () => removeReports(org, ids).then(() => true))
      if (result === null) return false
      toast({ title: `${count(ids)} deleted` })
      return true
    },
  }
}

/** Rows and the open report change before the server answers; what is returned takes that back. */
function patch(
  client: ReturnType<typeof useQueryClient>,
  org: string,
  ids: ReadonlySet<string>,
  { status, isRead }: FeedbackChange,
): () => void {
  const fields = { ...(status === undefined ? {} : { status }), ...(isRead === undefined ? {} : { isRead }) }
  const lists = changeShown<InboxData>(client, { queryKey: inboxKey(org) }, (data, key) => {
    const leaves = leavesMailbox(searchedFor(key, 'mailbox'), status === undefined ? {} : { status })
    return {
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        data: page.data
          .filter((row) => !leaves || !ids.has(row.id))
          .map((row) => (ids.has(row.id) ? { ...row, ...fields } : row)),
      })),
    }
  })
  const open = changeShown<FeedbackDetail>(client, { queryKey: [...feedbackKey(org), 'report'] }, (report) =>
    ids.has(report.id) ? { ...report, ...fields } : undefined,
  )
  return () => {
    lists()
    open()
  }
}

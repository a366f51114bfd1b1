import type { Feedback, FeedbackChange, FeedbackDetail } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { toast } from '../../ui/index.ts'
import { changeWords, leavesMailbox, undoSteps } from './model/report.ts'
import { type InboxData, changeReports, inboxKey, mergeReports, removeReports, separateReports } from './queries.ts'

export interface FeedbackActions {
  readonly busy: boolean
  /** Changes that move something get a toast with an undo; `quiet` ones (reading) do not. */
  readonly change: (ids: readonly string[], change: FeedbackChange, quiet?: boolean) => Promise<boolean>
  readonly merge: (parent: string, children: readonly string[]) => Promise<boolean>
  readonly remove: (ids: readonly string[]) => Promise<boolean>
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
  const [busy, setBusy] = useState(false)

  const during = async <Result>(what: string, work: () => Promise<Result>): Promise<Result | null> => {
    setBusy(true)
    try {
      return await work()
    } catch (error) {
      toast({ title: `${what} did not work`, description: describeError(error).detail, tone: 'error' })
      return null
    } finally {
      setBusy(false)
      void client.invalidateQueries({ queryKey: organizationKeys.feedback(org) })
    }
  }
  const undo = (work: () => Promise<unknown>) => ({
    label: 'Undo',
    run: () => void during('Undoing', work).then((result) => result !== null && toast({ title: 'Taken back' })),
  })
  const count = (ids: readonly string[]): string => (ids.length === 1 ? 'Report' : `${ids.length} reports`)

  return {
    busy,
    during,
    change: async (ids, change, quiet = false) => {
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
          ? { action: undo(() => Promise.all(steps.map((step) => changeReports(org, step.ids, step.change)))) }
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
  const undone: (() => void)[] = []
  const fields = { ...(status === undefined ? {} : { status }), ...(isRead === undefined ? {} : { isRead }) }
  for (const [key, data] of client.getQueriesData<InboxData>({ queryKey: inboxKey(org) })) {
    if (data === undefined) continue
    const search = key.at(-1)
    const mailbox = typeof search === 'object' && search !== null && 'mailbox' in search ? String(search.mailbox) : ''
    const leaves = leavesMailbox(mailbox, status === undefined ? {} : { status })
    const changed = client.setQueryData<InboxData>(key, {
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        data: page.data
          .filter((row) => !leaves || !ids.has(row.id))
          .map((row) => (ids.has(row.id) ? { ...row, ...fields } : row)),
      })),
    })
    // A list that has been fetched since knows better.
    undone.push(() => client.setQueryData<InboxData>(key, (now) => (now === changed ? data : now)))
  }
  const reports = { queryKey: [...organizationKeys.feedback(org), 'report'] }
  for (const [key, report] of client.getQueriesData<FeedbackDetail>(reports)) {
    if (report === undefined || !ids.has(report.id)) continue
    const changed = client.setQueryData<FeedbackDetail>(key, { ...report, ...fields })
    undone.push(() => client.setQueryData<FeedbackDetail>(key, (now) => (now === changed ? report : now)))
  }
  return () => {
    for (const takeBack of undone) takeBack()
  }
}

import type { Feedback, FeedbackChange, FeedbackDetail, FeedbackIssue } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'

import { changeShown, searchedFor } from '../../lib/shown-data.ts'
import { toast, undoable, useChanges } from '../../ui/index.ts'
import { type TagChange, changeWords, leavesMailbox, tagsBack, undoSteps } from './model/report.ts'
import {
  type InboxData,
  changeReports,
  createIssue,
  feedbackKey,
  inboxKey,
  linkIssue,
  mergeReports,
  removeNote,
  removeReports,
  sendReply,
  separateReports,
  writeNote,
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
  readonly tag: (report: FeedbackDetail, change: TagChange) => Promise<boolean>
  readonly link: (report: string, issue: string) => Promise<boolean>
  /** Makes an issue of the report. Undo unlinks it; the issue stays. */
  readonly makeIssue: (report: string) => Promise<boolean>
  readonly note: (report: string, text: string) => Promise<boolean>
  /** Once it is sent nothing takes it back, and `z` says so. */
  readonly reply: (report: string, text: string, resolve: boolean) => Promise<boolean>
  readonly removeNote: (report: string, note: string) => Promise<boolean>
  readonly separate: (parent: string, child: string) => Promise<boolean>
  /** The report no longer belongs to the issue; the toast, and `z`, link it again. */
  readonly unlink: (report: string, issue: FeedbackIssue) => Promise<boolean>
}

/** Does it, tells of it unless it is seen where it was done, and leaves an undo. */
type Told = <Result>(
  what: string,
  work: () => Promise<Result>,
  words: (result: Result) => string,
  back: (result: Result) => Promise<unknown>,
  isSeen?: boolean,
) => Promise<boolean>

/** Does what nothing takes back: `z` says so then, and leaves alone what came before it. */
type Final = (what: string, work: () => Promise<unknown>, words: string) => Promise<boolean>

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
  const told: Told = async (what, work, words, back, isSeen = false) => {
    const result = await during(what, work)
    if (result === null) return false
    const title = words(result)
    const action = undo(title, () => back(result))
    if (!isSeen) toast({ title, action })
    return true
  }
  const final: Final = async (what, work, words) => {
    const result = await during(what, () => work().then(() => true))
    if (result === null) return false
    undoable(() => toast({ title: `${words} cannot be taken back` }))
    return true
  }
  const count = (ids: readonly string[]): string => (ids.length === 1 ? 'Report' : `${ids.length} reports`)

  return {
    busy,
    ...forOne(org, told, final),
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
      const title = `${count(ids)} ${changeWords(change)}`
      const steps = undoSteps(change, before)
      toast({
        title,
        ...(before.length === ids.length
          ? {
              action: undo(title, () => {
                onUndo?.()
                return Promise.all(steps.map((step) => changeReports(org, step.ids, step.change)))
              }),
            }
          : {}),
      })
      return true
    },
    merge: (parent, children) =>
      told(
        'Merging',
        () => mergeReports(org, parent, children),
        (merged) => `${merged.children.length + 1} reports merged`,
        (merged) => separateReports(org, merged.children),
      ),
    remove: async (ids) => {
      const isDone = await final('Deleting', () => removeReports(org, ids), 'The deletion of reports')
      if (isDone) toast({ title: `${count(ids)} deleted` })
      return isDone
    },
  }
}

/** What is done to one report that is open. */
const forOne = (
  org: string,
  told: Told,
  final: Final,
): Omit<FeedbackActions, 'busy' | 'change' | 'merge' | 'remove'> => ({
  tag: (report, change) =>
    told(
      'The change',
      () => changeReports(org, [report.id], change).then(() => true),
      () => `Report ${changeWords(change)}`,
      () => changeReports(org, [report.id], tagsBack(change, report.tags)),
      true,
    ),
  separate: (parent, child) =>
    told(
      'Separating',
      () => separateReports(org, [child]),
      () => 'Report separated',
      () => mergeReports(org, parent, [child]),
    ),
  link: (report, issue) =>
    told(
      'Linking',
      () => linkIssue(org, report, issue),
      (linked) => `Linked to ${linked.issue?.shortId ?? 'the issue'}`,
      () => linkIssue(org, report, null),
    ),
  makeIssue: (report) =>
    told(
      'Making an issue',
      () => createIssue(org, report),
      (linked) => `Linked to the new ${linked.issue?.shortId ?? 'issue'}`,
      () => linkIssue(org, report, null),
    ),
  note: (report, text) =>
    told(
      'The note',
      () => writeNote(org, report, text),
      () => 'Note added',
      ({ id }) => removeNote(org, report, id),
      true,
    ),
  reply: (report, text, resolve) =>
    final('The reply', () => sendReply(org, report, text, resolve), 'A reply that was sent'),
  removeNote: (report, note) =>
    final('Deleting the note', () => removeNote(org, report, note), 'The deletion of a note'),
  unlink: (report, issue) =>
    told(
      'Unlinking',
      () => linkIssue(org, report, null),
      () => `Unlinked from ${issue.shortId}`,
      () => linkIssue(org, report, issue.id),
    ),
})

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

import type { Feedback, FeedbackChange, FeedbackDetail } from '@firsthand/contract'

import { type UndoStep, undoStepsOf } from '../../../lib/undo-steps.ts'

/** What reports mean on the screen. Texts of reporters are only ever shown as text. */

export const reporterOf = ({ name, email }: Pick<Feedback, 'name' | 'email'>): string =>
  name !== '' ? name : email !== '' ? email : 'Anonymous'

/** Whether two reports say the same, but for case and space: they need not both be read. */
export const saysTheSame = (one: string, other: string): boolean => wordsOf(one) === wordsOf(other)

const wordsOf = (message: string): string => message.toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Path of a page on its site: what a team tells pages apart by. The whole address when it is none. */
export function pathOf(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || !isWebAddress(url)) return url
  return `${parsed.pathname}${parsed.search}`
}

/** Only such an address may become a link. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)

export const SPAM_WORDS: Readonly<Record<FeedbackDetail['spam']['reasons'][number]['reason'], string>> = {
  honeypot: 'Hidden field filled in',
  too_fast: 'Sent too fast',
  links: 'Many links',
  gibberish: 'Gibberish',
  duplicate: 'Repeated text',
  rate_key: 'Flood of reports',
  rate_address: 'Many from one sender',
  shared_address: 'Busy address',
  blocked_word: 'Blocked word',
}

export const SOURCE_WORDS: Readonly<Record<Feedback['source'], string>> = {
  widget: 'Feedback widget',
  api: 'captureFeedback',
  user_report: 'User report',
  user_feedback: 'User feedback call',
  error_page: 'Report dialog',
  other: 'Other',
}

const DONE: Readonly<Record<Feedback['status'], string>> = {
  open: 'reopened',
  resolved: 'resolved',
  spam: 'marked as spam',
  archived: 'archived',
}

/** What a change did, for a toast: "resolved". */
export function changeWords(change: FeedbackChange): string {
  if (change.status !== undefined) return DONE[change.status]
  if (change.isRead !== undefined) return change.isRead ? 'marked as read' : 'marked as unread'
  if (change.assignedTo !== undefined) return change.assignedTo === null ? 'unassigned' : 'assigned'
  return 'tags changed'
}

export type TagChange = Pick<FeedbackChange, 'addTags' | 'removeTags'>

/** Changes that bring rows back to what they were. */
export function undoSteps(change: FeedbackChange, before: readonly Feedback[]): readonly UndoStep<FeedbackChange>[] {
  return undoStepsOf(
    before.map((row): [string, FeedbackChange] => [
      row.id,
      {
        ...(change.status === undefined ? {} : { status: row.status }),
        ...(change.isRead === undefined ? {} : { isRead: row.isRead }),
        ...(change.assignedTo === undefined
          ? {}
          : { assignedTo: row.assignedTo === null ? null : `${row.assignedTo.type}:${row.assignedTo.id}` }),
      },
    ]),
  )
}

/** What brings the tags of a report back to what they were. */
export function tagsBack({ addTags = [], removeTags = [] }: TagChange, tags: FeedbackDetail['tags']): TagChange {
  const keys = [...addTags.map(({ key }) => key), ...removeTags]
  const had = tags.filter(({ key }) => keys.includes(key))
  return { addTags: had, removeTags: keys.filter((key) => had.every((tag) => tag.key !== key)) }
}

/** What several reports have in common: it decides what one button or key does to all of them. */
export interface BulkChoices {
  /** All are resolved or archived, so they can be reopened. */
  readonly allDone: boolean
  readonly allArchived: boolean
  /** One is spam: the same button takes it back. */
  readonly isSpam: boolean
  readonly hasUnread: boolean
}

export function bulkChoices(rows: readonly Pick<Feedback, 'status' | 'isRead'>[]): BulkChoices {
  const every = (...statuses: Feedback['status'][]): boolean =>
    rows.length > 0 && rows.every((row) => statuses.includes(row.status))
  return {
    allDone: every('resolved', 'archived'),
    allArchived: every('archived'),
    isSpam: rows.some((row) => row.status === 'spam'),
    hasUnread: rows.some((row) => !row.isRead),
  }
}

/** The report that came first; of those of one moment, the one with the smaller id. */
export function oldestOf<Row extends Pick<Feedback, 'id' | 'dateCreated'>>(rows: readonly Row[]): Row | undefined {
  return rows.toSorted((a, b) => a.dateCreated.localeCompare(b.dateCreated) || Number(a.id) - Number(b.id)).at(0)
}

/** Whether a row leaves this mailbox when it is changed so. */
export function leavesMailbox(mailbox: string, change: FeedbackChange): boolean {
  if (mailbox === 'all') return false
  if (change.status !== undefined) return mailbox === 'unread' ? change.status !== 'open' : change.status !== mailbox
  return false
}

export interface ActivityWords {
  readonly id: string
  readonly who: string
  readonly what: string
  readonly at: string
}

const ACTIVITY: Readonly<Record<string, string>> = {
  set_open: 'reopened it',
  set_resolved: 'resolved it',
  set_archived: 'archived it',
  set_spam: 'marked it as spam',
  set_not_spam: 'marked it as not spam',
  assigned: 'assigned it',
  unassigned: 'removed the assignee',
  note: 'wrote a note',
  reply: 'replied to the reporter',
  answer: 'The reporter wrote back',
  merge: 'merged other reports into it',
  unmerge: 'unmerged it',
  linked: 'linked an issue',
  unlinked: 'unlinked the issue',
  notified: 'The reporter was notified that the issue is resolved',
}

/** One line of what happened; the server’s own deeds have no "who". The issue that is linked now is named. */
export function activityWords(
  entry: {
    readonly id: string
    readonly type: string
    readonly user: { readonly name: string; readonly email: string } | null
    readonly data?: Readonly<Record<string, unknown>>
    readonly dateCreated: string
  },
  issue: { readonly id: string; readonly shortId: string } | null = null,
): ActivityWords {
  const byItself = entry.type === 'answer' || entry.type === 'notified'
  return {
    id: entry.id,
    who: byItself ? '' : entry.user === null ? 'A token' : entry.user.name || entry.user.email,
    what:
      entry.type === 'linked' && issue !== null && String(entry.data?.['issue']) === issue.id
        ? `linked ${issue.shortId}`
        : (ACTIVITY[entry.type] ?? entry.type),
    at: entry.dateCreated,
  }
}

export interface TrailStep {
  /** `ui.click`, `fetch`, … */
  readonly kind: string
  readonly words: string
  readonly isError: boolean
  /** Milliseconds since the epoch; null when not sent. */
  readonly at: number | null
  /** Between it and the report, ms; null when not known, or when the clocks disagree. */
  readonly beforeMs: number | null
}

/** What the reporter did before the report, oldest first. */
export const trailOf = ({
  breadcrumbs,
  dateCreated,
}: Pick<FeedbackDetail, 'breadcrumbs' | 'dateCreated'>): readonly TrailStep[] => {
  const sent = Date.parse(dateCreated)
  return breadcrumbs.map((crumb) => {
    const at = crumb.timestamp === null ? null : Date.parse(crumb.timestamp)
    const before = at === null ? null : sent - at
    return {
      kind: crumb.category || crumb.type || 'default',
      words: crumbWords(crumb),
      isError: crumb.level === 'error' || crumb.level === 'fatal',
      at,
      beforeMs: before !== null && before >= 0 && before < DAY_MS ? before : null,
    }
  })
}

const DAY_MS = 86_400_000

function crumbWords({ message, data }: FeedbackDetail['breadcrumbs'][number]): string {
  if (message !== '') return message
  const word = (name: string): string => {
    const value = data[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const parts = [word('method'), word('url') || word('to'), word('status_code')].filter((part) => part !== '')
  return parts.length > 0 ? parts.join(' ') : JSON.stringify(data).slice(0, 200)
}

import type { Feedback, FeedbackChange, FeedbackDetail } from '@firsthand/contract'

/** What reports mean on the screen. Texts of reporters are only ever shown as text. */

export const reporterOf = ({ name, email }: Pick<Feedback, 'name' | 'email'>): string =>
  name !== '' ? name : email !== '' ? email : 'Anonymous'

const TITLE_LENGTH = 70

/** The first line of the message, short enough for a heading. */
export function titleOf(message: string): string {
  const line = (message.split('\n', 1)[0] ?? '').trim()
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH).trimEnd()}…`
}

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
  rate_address: 'Many from one address',
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
  return 'changed'
}

/** Changes that bring rows back to what they were, grouped so that few calls do it. */
export function undoSteps(
  change: FeedbackChange,
  before: readonly Feedback[],
): readonly { readonly ids: readonly string[]; readonly change: FeedbackChange }[] {
  const steps = new Map<string, { ids: string[]; change: FeedbackChange }>()
  for (const row of before) {
    const back: FeedbackChange = {
      ...(change.status === undefined ? {} : { status: row.status }),
      ...(change.isRead === undefined ? {} : { isRead: row.isRead }),
      ...(change.assignedTo === undefined
        ? {}
        : { assignedTo: row.assignedTo === null ? null : `${row.assignedTo.type}:${row.assignedTo.id}` }),
    }
    const key = JSON.stringify(back)
    const step = steps.get(key)
    if (step === undefined) steps.set(key, { ids: [row.id], change: back })
    else step.ids.push(row.id)
  }
  return [...steps.values()]
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
  set_not_spam: 'said that it is not spam',
  assigned: 'assigned it',
  unassigned: 'took the assignee off',
  note: 'wrote a note',
  reply: 'answered the reporter',
  answer: 'The reporter wrote back',
  merge: 'merged other reports into it',
  unmerge: 'separated it again',
  linked: 'linked an issue',
  unlinked: 'unlinked the issue',
  notified: 'The reporter was told that the issue is resolved',
}

/** One line of what happened; the server’s own deeds have no "who". */
export function activityWords(entry: {
  readonly id: string
  readonly type: string
  readonly user: { readonly name: string; readonly email: string } | null
  readonly dateCreated: string
}): ActivityWords {
  const byItself = entry.type === 'answer' || entry.type === 'notified'
  return {
    id: entry.id,
    who: byItself ? '' : entry.user === null ? 'A token' : entry.user.name || entry.user.email,
    what: ACTIVITY[entry.type] ?? entry.type,
    at: entry.dateCreated,
  }
}

/** Milliseconds into a replay as a player shows it: `1:05`, `1:02:05`. */
export function formatOffset(offsetMs: number): string {
  const seconds = Math.max(0, Math.floor(offsetMs / 1000))
  const two = (value: number): string => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

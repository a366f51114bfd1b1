import { type FEEDBACK_MAILBOXES, FEEDBACK_SORTS } from '@firsthand/contract'
import { urlText } from '../../../lib/url-search.ts'

/** What the inbox shows, as its URL says it: everything that somebody else needs to see the same. */
export interface InboxSearch {
  readonly mailbox: Mailbox
  /** Words; all must occur. */
  readonly query: string
  readonly sort: InboxSort
  /** Project ids. */
  readonly project: readonly string[]
  /** `user:1`, `team:2`, `me`, `none`; '' for whoever. */
  readonly assigned: string
  /** `key:value`. */
  readonly tag: readonly string[]
  /** The report beside the list; '' for none. */
  readonly report: string
}

export type Mailbox = (typeof FEEDBACK_MAILBOXES)[number]
export type InboxSort = (typeof FEEDBACK_SORTS)[number]

/** In the URL: what differs from the defaults. */
export type InboxUrl = { readonly [Key in keyof InboxSearch]?: InboxSearch[Key] }

export const DEFAULT_INBOX: InboxSearch = {
  mailbox: 'open',
  query: '',
  sort: 'date',
  project: [],
  assigned: '',
  tag: [],
  report: '',
}

export const MAILBOXES: readonly { readonly value: Mailbox; readonly label: string }[] = [
  { value: 'unread', label: 'Unread' },
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'spam', label: 'Spam' },
  { value: 'archived', label: 'Archived' },
  { value: 'all', label: 'All' },
]

export const SORTS: readonly { readonly value: InboxSort; readonly label: string }[] = [
  { value: 'date', label: 'Newest' },
  { value: '-date', label: 'Oldest' },
  { value: 'reply', label: 'Waiting for us' },
  { value: 'spam', label: 'Most suspicious' },
]

/** What the contract takes. */
const MAX_QUERY = 500
const MAX_PROJECTS = 100
const MAX_TAGS = 20
const MAX_WORD = 401

/** Reads any URL, also one that was edited by hand or comes from Sentry (`feedbackSlug=project:id`). */
export function readInboxUrl(raw: Readonly<Record<string, unknown>>): InboxUrl {
  const slug = urlText(raw.feedbackSlug)
  const report = urlText(raw.report) || slug.slice(slug.lastIndexOf(':') + 1)
  return compactInbox({
    mailbox: MAILBOXES.find(({ value }) => value === raw.mailbox)?.value ?? DEFAULT_INBOX.mailbox,
    query: urlText(raw.query).slice(0, MAX_QUERY),
    sort: FEEDBACK_SORTS.find((sort) => sort === raw.sort) ?? DEFAULT_INBOX.sort,
    project: list(raw.project, MAX_PROJECTS),
    assigned: /^(?:(?:user|team):\d{1,15}|me|none)$/.test(urlText(raw.assigned)) ? urlText(raw.assigned) : '',
    tag: list(raw.tag, MAX_TAGS).filter((tag) => tag.indexOf(':') > 0 && tag.length <= MAX_WORD),
    report: /^(?:\d{1,15}|[0-9a-f]{32})$/.test(report) ? report : '',
  })
}

export const fromInboxUrl = (url: InboxUrl): InboxSearch => ({ ...DEFAULT_INBOX, ...url })

export const readInbox = (raw: Readonly<Record<string, unknown>>): InboxSearch => fromInboxUrl(readInboxUrl(raw))

export function compactInbox(search: InboxSearch): InboxUrl {
  const entries = Object.entries(search).filter(([key, value]) => {
    const usual: unknown = DEFAULT_INBOX[key as keyof InboxSearch]
    return Array.isArray(value) ? value.length > 0 : value !== usual
  })
  return Object.fromEntries(entries) as InboxUrl
}

/** Whether anything but the mailbox narrows the list. */
export const isNarrowed = ({ query, project, assigned, tag }: InboxSearch): boolean =>
  query !== '' || project.length > 0 || assigned !== '' || tag.length > 0

function list(value: unknown, most: number): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return [...new Set(entries.map(urlText).filter((entry) => entry !== ''))].slice(0, most)
}

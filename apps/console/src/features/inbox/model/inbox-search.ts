import { urlText } from '../../../lib/url-search.ts'

/** What the inbox shows, as its URL says it. */
export interface InboxSearch {
  readonly show: InboxView
  /** Words of a title. */
  readonly query: string
  /** The line beside the list; '' for none. */
  readonly entry: string
}

export type InboxView = 'unread' | 'all' | 'snoozed' | 'done'

/** In the URL: what differs from the defaults. */
export type InboxUrl = { readonly [Key in keyof InboxSearch]?: InboxSearch[Key] }

export const DEFAULT_INBOX: InboxSearch = { show: 'unread', query: '', entry: '' }

export const VIEWS: readonly { readonly value: InboxView; readonly label: string }[] = [
  { value: 'unread', label: 'Unread' },
  { value: 'all', label: 'All' },
  { value: 'snoozed', label: 'Snoozed' },
  { value: 'done', label: 'Done' },
]

/** What the contract takes. */
const MAX_QUERY = 200

export function readInboxUrl(raw: Readonly<Record<string, unknown>>): InboxUrl {
  const entry = urlText(raw.entry)
  return compactInbox({
    show: VIEWS.find(({ value }) => value === raw.show)?.value ?? DEFAULT_INBOX.show,
    query: urlText(raw.query).slice(0, MAX_QUERY),
    entry: /^\d{1,15}$/.test(entry) ? entry : '',
  })
}

export const fromInboxUrl = (url: InboxUrl): InboxSearch => ({ ...DEFAULT_INBOX, ...url })

export const readInbox = (raw: Readonly<Record<string, unknown>>): InboxSearch => fromInboxUrl(readInboxUrl(raw))

export function compactInbox(search: InboxSearch): InboxUrl {
  const entries = Object.entries(search).filter(([key, value]) => value !== DEFAULT_INBOX[key as keyof InboxSearch])
  return Object.fromEntries(entries) as InboxUrl
}

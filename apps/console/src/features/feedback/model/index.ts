/** What the inbox's URL means, without its screen. */
export {
  compactInbox,
  DEFAULT_INBOX,
  fromInboxUrl,
  readInboxUrl,
  type InboxSearch,
  type InboxUrl,
} from './inbox-search.ts'

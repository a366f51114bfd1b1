/** The face of the slice: what it asks of those that build on it, and what they read and send by its rules. */
export { START_OF_REPLAY, type ReplayOfReport } from './replay-of-report.ts'
export { fill, reporterTexts } from './reporter-texts.ts'
export { wayToReporter, type Way } from './reporter-mail.ts'
export { addressHash } from './unsubscribe.ts'
export { unsubscribedAmong } from './ledger/unsubscribes.ts'
export { withoutLinks } from './text.ts'
export { addMessage, localeIn, newestMessages, noteActivity } from './ledger/threads.ts'
export { attachmentJson, dateOf, isPicture, messageJson } from './feedback-json.ts'
export {
  createReportsOfPerson,
  type MessageOfPerson,
  type ReportOfPerson,
  type ToldToPerson,
} from './ledger/reports-of-person.ts'
export { peopleOfReport } from './ledger/people-of-report.ts'
export { quotesAbout } from './ledger/quotes-about.ts'
export { changeReport, createLedgerInbox } from './ledger/inbox.ts'
export type { FeedbackRecord } from './inbox.store.ts'

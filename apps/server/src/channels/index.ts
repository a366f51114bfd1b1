/** The face of the slice: what may be said, and how it gets on its way. */
export type { Action, Block, Message, Subject } from './message.ts'
export { messageAsSent, type ToShow } from './as-sent.ts'
export { mailOfMessage } from './mail-of-message.ts'
export {
  MAIL_WAS_REFUSED,
  MAIL_WAS_TAKEN,
  MAY_BE_MAILED,
  NOTICE_SETTINGS_PATH_OF,
  UNSUBSCRIBE_PATH_OF,
  type RefusedMail,
} from './mail-way.ts'
export { createTrial, type Trial } from './trial.ts'
export { dropThreads, enqueueMessages, withdrawMessages, type Outgoing, type Receiver } from './outbox.ts'
export { channelsThatPage } from './paging.ts'
export { readRetryAfter, retryAt } from './retry.ts'
export { withoutSecrets } from './secrets-in-text.ts'
export { cut, plainLine, plainText } from './text.ts'
export { createPersonalMentions } from './ledger/erase-mentions.ts'
export { PERSON_ROW } from './without-person.ts'

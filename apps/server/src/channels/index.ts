/** The face of the slice: what may be said, and how it gets on its way. */
export type { Action, Block, Message, Subject } from './message.ts'
export { enqueueMessages, withdrawMessages, type Outgoing, type Receiver } from './outbox.ts'

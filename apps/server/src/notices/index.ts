/** The face of the slice: people are told something, by their settings. */
export type { Notice } from './notice.ts'
export { notify } from './ledger/notify.ts'

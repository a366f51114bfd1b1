/** The face of the slice: what it asks of those that build on it. */
export { START_OF_REPLAY, type ReplayOfReport } from './replay-of-report.ts'

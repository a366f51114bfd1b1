/** The face of the capability: what others read by its rules, and its news. */
export { addSums, LONG_FRAME, NO_SPANS, SPAN_ITEMS } from './span-news.ts'
export {
  DECODED_SIZES,
  ENCODED_SIZES,
  isLongFrame,
  LONG_FRAME_OPS,
  ON_MAIN_THREAD,
  TRANSFER_SIZES,
} from './describe/known-names.ts'
export type { SpanNews, SpanSums, TraceNews } from './span-news.ts'
export { COUNT_LOGS_OF_TRACE, LOGS_OF_TRACE } from './trace-logs.ts'
export { rootBeside } from './read/beside.ts'
export { NAMES_BY_FORM, namesOf, type Names } from './names/names.ts'
export { sentName, type SentName } from './read/names.ts'
export { createClockOf } from './read/times.ts'
export { sentTransaction } from './telemetry/span-row.ts'
export { createTransactionsOfPerson, type TransactionOfPerson } from './telemetry/transactions-of-person.ts'

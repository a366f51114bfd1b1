/** The face of the capability: its table, for questions of any kind, and its news. */
export { SPAN_ITEMS } from './span-news.ts'
export type { SpanNews, SpanSums, TraceNews } from './span-news.ts'
export { spansDataset } from './telemetry/span-dataset.ts'
export { COUNT_LOGS_OF_TRACE, LOGS_OF_TRACE } from './trace-logs.ts'
export { readTransaction } from './read/read-transaction.ts'
export { transactionName } from './read/names.ts'
export { createClockOf } from './read/times.ts'
export { transactionOf } from './telemetry/span-row.ts'

/** The face of the capability: its table, for questions of any kind, and its news. */
export { SPAN_ITEMS } from './span-news.ts'
export type { SpanNews, SpanSums, TraceNews } from './span-news.ts'
export { spansDataset } from './telemetry/span-dataset.ts'
export { COUNT_LOGS_OF_TRACE, LOGS_OF_TRACE } from './trace-logs.ts'

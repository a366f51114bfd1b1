/** The face of the capability: its table, for questions of any kind. */
export { spansDataset } from './telemetry/span-dataset.ts'
export { COUNT_LOGS_OF_TRACE, LOGS_OF_TRACE } from './trace-logs.ts'

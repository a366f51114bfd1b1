/** The face of the capability: its table, for questions of any kind. */
export { spansDataset } from './telemetry/span-dataset.ts'

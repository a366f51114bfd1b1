/** The face of the capability: its table, for questions of any kind. */
export { metricsDataset } from './dataset.ts'

/** Series as charts draw them, and what can be asked of which table, without the screen. */
export { offeredAttributes, searchKeysOf } from './attributes.ts'
export { timeBefore } from './before.ts'
export { datasetOf } from './datasets.ts'
export { secondsOf } from './explore-search.ts'
export { askInSuitableSteps, type Chart } from './lines.ts'

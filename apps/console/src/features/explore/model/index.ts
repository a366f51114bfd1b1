/** Series as charts draw them, without the screen. */
export { timeBefore } from './before.ts'
export { secondsOf } from './explore-search.ts'
export { askInSuitableSteps, type Chart } from './lines.ts'

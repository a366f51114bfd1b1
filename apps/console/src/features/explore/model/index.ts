/** Series as charts draw them, without the screen. */
export { secondsOf } from './explore-search.ts'
export { askInSuitableSteps, type Chart } from './lines.ts'

/** Series as charts draw them, without the screen. */
export { secondsOf, usualStep } from './explore-search.ts'
export { type Chart, chartOf } from './lines.ts'

/** The face of the slice: how items ended. */
export { countRefused } from './count-refused.ts'

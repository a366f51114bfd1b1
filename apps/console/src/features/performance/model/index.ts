/** How shares, rates and changes are written, without the screens. */
export { changeOf, formatPerMinute, formatRate, formatShare, timeBeforeText } from './change.ts'

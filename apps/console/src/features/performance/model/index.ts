/** How shares, rates and changes are written, without the screens. */
export { changeOf, formatPerMinute, formatRate, formatShare } from './change.ts'

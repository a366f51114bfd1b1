/** How shares and rates are written, without the screens. */
export { formatRate, formatShare } from './change.ts'

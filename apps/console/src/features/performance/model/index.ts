/** How shares, rates and changes are written, without the screens. */
export { changeOf, formatRate, formatShare } from './change.ts'

/** How shares, rates and changes are written, without the screens. */
export { changeOf, formatRate, isFailing, formatShare, formatThroughput, timeBeforeText } from './change.ts'
export { exactRate, formatRateIn, type RateUnit, rateUnitOf } from './rate-unit.ts'

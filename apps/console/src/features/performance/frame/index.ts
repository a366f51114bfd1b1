/** What the screens below "Performance" have in common: filters, search, and the way from one to the next. */
export { conditionOf } from './condition.ts'
export { PerformanceFrame } from './PerformanceFrame.tsx'

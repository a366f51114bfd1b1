/** What the screens below "Performance" have in common: filters, search, lists, and the way from one to the next. */
export { conditionOf } from './condition.ts'
export { DetailHeader } from './DetailHeader.tsx'
export { EmptyList, HowCode } from './EmptyList.tsx'
export { FoundRows } from './FoundRows.tsx'
export { Aside, Compared, type Measure, MeasuredTable, Unit, usePageKeys } from './MeasuredTable.tsx'
export { PerformanceFrame } from './PerformanceFrame.tsx'

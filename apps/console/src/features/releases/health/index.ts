export { HealthCells, HealthHeads } from './HealthCells.tsx'
export { HealthFailed } from './HealthFailed.tsx'
export { useHealthOf } from './queries.ts'

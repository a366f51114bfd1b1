export { HealthCells, HealthHeads } from './HealthCells.tsx'
export { HealthFailed } from './HealthFailed.tsx'
export { ReleaseHealth, SessionEnds } from './ReleaseHealth.tsx'
export { useHealthOf } from './queries.ts'

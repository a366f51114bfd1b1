/** The face of the capability: what those that build on it see. */
export { nameReleases } from './ledger/naming.ts'
export { createNeighbours, type NamedRelease, type Neighbours } from './ledger/neighbours.ts'
export { releasesBefore } from './release-before.ts'
export { RELEASE_HEALTH, type AskedReleaseHealth, type Both, type ProjectHealth } from './health-question.ts'

/** The face of the capability: what others may see of it. */
export { readStanding } from './ledger/standing.ts'

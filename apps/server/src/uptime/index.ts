/** The face of the capability: what others may see of it. */
export { readStanding, type Standing } from './ledger/standing.ts'

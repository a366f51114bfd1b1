/** The face of the capability: what those that build on it see. */
export { nameReleases } from './ledger/naming.ts'

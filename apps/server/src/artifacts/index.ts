/** The face of the slice: what builds uploaded. */
export { RELEASE_NAMED } from './questions.ts'

/** The face of the capability: what others read by its rules. */
export { createLinesOfPerson, type LineOfPerson } from './telemetry/lines-of-person.ts'

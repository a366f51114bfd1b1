/** The face of the capability: what others read by its rules. */
export { createReplaysOfPerson, type ReplayOfPerson } from './telemetry/replays-of-person.ts'

/** What a minidump says of a crash, as parts of an event. Reading is pure and bounded, whatever the dump holds. */
export { withMinidump } from './dump-as-event.ts'
export type { Minidump } from './minidump.ts'
export { openDump } from './dump-file.ts'
export { readMinidump } from './read-minidump.ts'

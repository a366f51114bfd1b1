/**
 * The face of the slice: what reading an event takes, whatever becomes of it. Errors, the reports of visitors and, later,
 * transactions are read, filtered, scrubbed and titled by the same rules.
 */
export { hostOf, readCsp, readReportText } from './csp.ts'
export { filter } from './filter/index.ts'
export { openDump, readMinidump, type Minidump } from './minidump/index.ts'
export { normalise, normaliseSurroundings } from './normalise/index.ts'
export { readTime } from './normalise/timestamps.ts'
export { cleanTransactionName } from './normalise/transaction-name.ts'
export { readUserAgent } from './normalise/user-agent.ts'
export { readJson } from './normalise/read-json.ts'
export { scrub } from './scrub/index.ts'
export { scrubAttributes } from './scrub/attributes.ts'
export { createEventTitle } from './title/index.ts'
export type { TitleHints } from './title/index.ts'
export { attachRemarks } from './remarks.ts'

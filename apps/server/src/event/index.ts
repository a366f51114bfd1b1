/**
 * The face of the slice: what reading an event takes, whatever becomes of it. Errors, the reports of visitors, spans and log
 * lines are read, filtered, scrubbed and titled by the same rules.
 */
export { hostOf, readCsp, readReportText } from './csp.ts'
export { filter } from './filter/index.ts'
export { openDump, readMinidump, type Minidump } from './minidump/index.ts'
export { normalise, normaliseSurroundings } from './normalise/index.ts'
export { readSentTags } from './normalise/tags.ts'
export { clockShift, readTime } from './normalise/timestamps.ts'
export { OFFENDING_SPANS } from './occurrence.ts'
export { cleanTransactionName } from './normalise/transaction-name.ts'
export { readJson } from './normalise/read-json.ts'
export { scrub, scrubSentTags } from './scrub/index.ts'
export { scrubAttributes } from './scrub/attributes.ts'
export { scrubBag } from './scrub/bag.ts'
export { scrubbingRules, type Rules as ScrubbingRules } from './scrub/rules.ts'
export { createEventTitle } from './title/index.ts'
export type { TitleHints } from './title/index.ts'
export { attachRemarks } from './remarks.ts'
export { Attributes, TextBudget, todaysName, type AttributeValue } from './attributes/attributes.ts'
export { addClient, surroundingsOf } from './attributes/client.ts'
export { columnsOf, mapsOf, takeText, userOf } from './attributes/columns.ts'
export { addSent, readItems, type OfContainer } from './attributes/containers.ts'
export { firstIdOf, readSpanId, readTraceId } from './attributes/ids.ts'
export { createMomentOf, sequenceOf, type MomentOf } from './attributes/moment.ts'
export { addPairs, addResource, secondsOf } from './otlp/common.ts'
export { digitsOf, idOf, listOf, numberOf, pairsOf, textOf, valueOf, type OtlpJson } from './otlp/json.ts'
export {
  hex,
  readFields,
  readMessage,
  readPair,
  readValue,
  type KeyValue,
  type OtlpFields,
  type OtlpReader,
  type OtlpScope,
} from './otlp/protobuf.ts'
export { countUnreadable, readExport, readThings, type OtlpForm } from './otlp/read-export.ts'

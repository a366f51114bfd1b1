export * from './types.ts'
export type { ParseResult } from './result.ts'
export { decodeUtf8, encodeUtf8 } from './text.ts'
export { isObject } from './objects.ts'
export { isUuid, normaliseEventId } from './event-id.ts'
export { envelopeUrl, originOf, parseDsnParts } from './wire.ts'
export { formatDsn, parseDsn, type Dsn } from './dsn.ts'
export { formatRateLimits, parseRateLimits, type RateLimitEntry } from './rate-limits.ts'
export { CLIENT_REPORT_REASONS, type ClientReportReason } from './client-reports.ts'
export { categoryOf, countOf, isInBytes, isKnownItemType, itemTypeOfEvent, needsEventId } from './categories.ts'
export { jsonDepthWithin, jsonValueEnd } from './json-depth.ts'
export { parseSentryAuth, type SentryAuth } from './sentry-auth.ts'
export {
  envelopeParts,
  envelopeSteps,
  parseEnvelope,
  serializeEnvelope,
  type EnvelopeError,
  type EnvelopeErrorCode,
  type EnvelopeLimits,
} from './envelope.ts'

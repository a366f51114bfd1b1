export * from './types.ts'
export type { ParseResult } from './result.ts'
export { decodeUtf8, encodeUtf8 } from './text.ts'
export { isUuid, normaliseEventId } from './event-id.ts'
export { formatDsn, parseDsn, type Dsn } from './dsn.ts'
export { formatRateLimits, parseRateLimits, type RateLimitEntry } from './rate-limits.ts'
export { categoryOf, countOf, isKnownItemType, needsEventId } from './categories.ts'
export { jsonDepthWithin, jsonValueEnd } from './json-depth.ts'
export { parseSentryAuth, type SentryAuth } from './sentry-auth.ts'
export {
  parseEnvelope,
  serializeEnvelope,
  type EnvelopeError,
  type EnvelopeErrorCode,
  type EnvelopeLimits,
} from './envelope.ts'

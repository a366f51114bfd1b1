/** Why an SDK leaves something out, in the words of its client reports (protocol.md 3.9). */
export const CLIENT_REPORT_REASONS = [
  'queue_overflow',
  'cache_overflow',
  'buffer_overflow',
  'ratelimit_backoff',
  'network_error',
  'sample_rate',
  'before_send',
  'event_processor',
  'send_error',
  'internal_sdk_error',
  'insufficient_data',
  'backpressure',
  'no_parent_span',
  'ignored',
  'invalid',
  'callback_error',
] as const

export type ClientReportReason = (typeof CLIENT_REPORT_REASONS)[number]

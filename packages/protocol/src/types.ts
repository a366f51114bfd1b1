/** Item types that the protocol knows (protocol.md 1.4). Any other string is an unknown type, which is skipped and counted. */
export const ITEM_TYPES = [
  'event',
  'transaction',
  'security',
  'attachment',
  'form_data',
  'raw_security',
  'nel',
  'unreal_report',
  'user_report',
  'feedback',
  'session',
  'sessions',
  'statsd',
  'metric_buckets',
  'client_report',
  'profile',
  'replay_event',
  'replay_recording',
  'replay_video',
  'check_in',
  'log',
  'span',
  'otel_span',
  'otel_traces_data',
  'otel_log',
  'otel_metrics_data',
  'profile_chunk',
  'trace_metric',
] as const
export type ItemType = (typeof ITEM_TYPES)[number]

/** Names of rate limit and outcome categories (protocol.md 2.5). */
export const DATA_CATEGORIES = [
  'default',
  'error',
  'transaction',
  'security',
  'attachment',
  'attachment_item',
  'session',
  'profile',
  'profile_chunk',
  'profile_chunk_ui',
  'profile_duration',
  'profile_duration_ui',
  'profile_backend',
  'profile_ui',
  'replay',
  'monitor',
  'span',
  'feedback',
  'metric_bucket',
  'log_item',
  'log_byte',
  'trace_metric',
  'trace_metric_byte',
  'internal',
] as const
export type DataCategory = (typeof DATA_CATEGORIES)[number]

export interface SdkInfo {
  readonly name: string
  readonly version: string
}

/** First line of an envelope (protocol.md 1.2), read tolerantly: a key of the wrong type is absent. */
export interface EnvelopeHeader {
  /** 32 lower-case hex characters. */
  readonly eventId: string | null
  /** As sent; not yet parsed. */
  readonly dsn: string | null
  readonly sdk: (SdkInfo & { readonly settings?: { readonly infer_ip?: string } }) | null
  /** Milliseconds since the epoch. */
  readonly sentAt: number | null
  /** Dynamic sampling context (protocol.md 4.1), values as strings; null when absent or malformed. */
  readonly trace: Readonly<Record<string, string>> | null
  /** The header's JSON object as received. */
  readonly raw: Readonly<Record<string, unknown>>
}

/** Header line of an item (protocol.md 1.3). */
export interface ItemHeader {
  readonly type: string
  readonly length: number | null
  readonly contentType: string | null
  readonly itemCount: number | null
  readonly filename: string | null
  readonly attachmentType: string | null
  readonly platform: string | null
  readonly raw: Readonly<Record<string, unknown>>
}

export interface Item {
  readonly header: ItemHeader
  /** A view into the envelope's bytes, not a copy. */
  readonly payload: Uint8Array
}

export interface Envelope {
  readonly header: EnvelopeHeader
  readonly items: readonly Item[]
}

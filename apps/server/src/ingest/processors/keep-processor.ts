import { ok } from '../../lib/result.ts'
import type { Processor } from '../digest/processor.ts'

/**
 * Everything whose screen comes later is kept whole: not parsed, not scrubbed, nothing missing then. The digest writes
 * kept items together (digest/keep.ts), because their payloads go to another store.
 */
export const createKeepProcessor = (): Processor => ({
  takes: [
    'transaction',
    'span',
    'otel_span',
    'otel_traces_data',
    'log',
    'otel_log',
    'trace_metric',
    'session',
    'sessions',
    'check_in',
    'replay_event',
    'replay_recording',
    'replay_video',
    'attachment',
    'form_data',
    'security',
    'unreal_report',
    'profile',
    'profile_chunk',
  ],
  expand: () => ok({ kind: 'kept' }),
})

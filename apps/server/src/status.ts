import type { ServerStatus } from '@firsthand/contract'
import type { DigestHandle, Spool } from './ingest/index.ts'
import { LIMITS } from './limits.ts'
import type { Telemetry } from './storage/index.ts'

export type Status = () => Promise<ServerStatus>

/** What the server is doing, in words for the console's banner. */
export const createStatus = (parts: {
  readonly version: string
  readonly startedAt: number
  readonly spool: Pick<Spool, 'pressure' | 'backlogBytes'>
  readonly digest: Pick<DigestHandle, 'state'>
  readonly telemetry: Pick<Telemetry, 'state'>
  readonly descriptions: ServerStatus['stores']
  readonly disk: () => Promise<NonNullable<ServerStatus['disk']>>
}): Status => {
  const { spool, digest, telemetry } = parts
  return async () => {
    const problems: { id: string; message: string }[] = []
    const pressure = spool.pressure()
    const state = digest.state()
    const backlogBytes = spool.backlogBytes()
    const disk = await parts.disk().catch(() => null)
    if (pressure === 'full') {
      problems.push({
        id: 'disk_full',
        message: 'The disk is full, so new events are refused with 503. Free some space, or lower the retention.',
      })
    }
    if (pressure === 'behind') {
      problems.push({
        id: 'backlog',
        message: 'More is waiting to be processed than Firsthand may hold back, so new events are refused with 429.',
      })
    }
    if (state.status === 'retrying') {
      problems.push({
        id: 'digest',
        message: `New events are kept but not shown yet: ${state.detail ?? 'a store does not answer'}. Firsthand tries again by itself.`,
      })
    }
    if (telemetry.state().kind === 'restarting') {
      problems.push({
        id: 'telemetry',
        message: 'The telemetry engine is being restarted; lists may be incomplete for some seconds.',
      })
    }
    const refusing = pressure !== 'ok'
    return {
      version: parts.version,
      startedAt: new Date(parts.startedAt).toISOString(),
      status: refusing ? 'refusing' : problems.length > 0 ? 'degraded' : 'ok',
      problems,
      spool: { backlogBytes, backlogRecords: null, oldestAt: null },
      digest: {
        state:
          state.status === 'retrying' || state.status === 'stopped'
            ? 'stopped'
            : backlogBytes > LIMITS.BACKLOG_SHOWN_BYTES
              ? 'behind'
              : 'running',
        lagMs: null,
      },
      disk,
      stores: parts.descriptions,
    }
  }
}

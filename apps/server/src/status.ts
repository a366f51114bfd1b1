import type { ServerStatus } from '@firsthand/contract'
import { adviceOnTokens } from './config-advice.ts'
import type { DigestHandle, Spool, ThreadProgress } from './ingest/index.ts'
import { finding } from './lib/findings.ts'
import type { Finding, Findings } from './lib/findings.ts'
import { LIMITS } from './limits.ts'
import { sentenceForMembers } from './member-sentences.ts'
import type { Telemetry } from './storage/index.ts'

/** Who asks, and what they hear besides what everybody does. */
export interface StatusReader {
  /** What concerns this organisation alone. */
  readonly organizationId: number
  /** They may change the organisation: they hear how the server should be configured, and all of what is wrong. */
  readonly isOperator: boolean
}

export type Status = (reader: StatusReader) => Promise<ServerStatus>

/** What spool, digest and telemetry know of themselves at any moment. */
export const watchParts = (
  findings: Findings,
  {
    spool,
    digest,
    telemetry,
  }: {
    readonly spool: Pick<Spool, 'pressure' | 'backlogBytes'>
    readonly digest: Pick<DigestHandle, 'state' | 'threads'>
    readonly telemetry: Pick<Telemetry, 'state'>
  },
): void => {
  findings.watch(() => {
    const pressure = spool.pressure()
    if (pressure === 'ok') return null
    if (pressure === 'gone') {
      return finding(
        'data_gone',
        'The data folder was removed or replaced while the server runs, so nothing can be kept: new events and changes are refused with 503. Put it back, or stop the server and start it on the folder it is to have.',
      )
    }
    return pressure === 'full'
      ? finding(
          'disk_full',
          'The disk is full, so new events are refused with 503. Free some space, or lower the retention.',
        )
      : finding(
          'backlog',
          'More is waiting to be processed than Firsthand may hold back, so new events are refused with 429.',
        )
  })
  findings.watch(() => {
    const { status, detail } = digest.state()
    return status === 'retrying'
      ? finding(
          'digest',
          `New events are kept but not shown yet: ${detail ?? 'a store does not answer'}. Firsthand tries again by itself.`,
        )
      : null
  })
  findings.watch(createStallWatch({ spool, digest }))
  findings.watch(() => {
    switch (telemetry.state().kind) {
      case 'restarting':
        return finding(
          'telemetry',
          'The telemetry engine is being restarted; lists may be incomplete for some seconds.',
        )
      case 'silent':
        return finding(
          'telemetry',
          'The telemetry engine gives no sign of life, so pages with events answer 503. New events are kept meanwhile. It is restarted when that goes on.',
        )
      case 'ready':
      case 'closed':
        return null
    }
  })
}

/** In decimal units, as in the console: `12 kB`, `4.1 MB`. */
const sizeText = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB'] as const
  const unit = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), units.length - 1)
  const amount = bytes / 1000 ** unit
  return `${Number(amount.toFixed(unit > 0 && amount < 10 ? 1 : 0))} ${units[unit]}`
}

/**
 * A thread of the digest that works on one batch for long, or hangs: it tells nothing itself, but what waits for it grows
 * and it stores nothing, whatever the other one does. Looks are counted by the monotonic clock.
 */
export const createStallWatch = ({
  spool,
  digest,
  elapsed = () => performance.now(),
}: {
  readonly spool: Pick<Spool, 'backlogBytes'>
  readonly digest: Pick<DigestHandle, 'threads'>
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number
}): (() => ReturnType<typeof finding> | null) => {
  /** Of each thread: what it had done, and since when something waits for it and it does nothing more. */
  const seen = new Map<ThreadProgress['part'], { readonly done: string; readonly since: number }>()
  return () => {
    const waiting = spool.backlogBytes()
    const now = elapsed()
    for (const { part, status, batches, passed, isBehind } of digest.threads()) {
      const done = `${batches} ${passed.segment}:${passed.offset}`
      // A thread that tries a store again says so itself.
      const hasWork = waiting > 0 && isBehind && status === 'running'
      if (!hasWork || seen.get(part)?.done !== done) seen.set(part, { done, since: now })
    }
    const stalledMs = Math.max(0, ...[...seen.values()].map(({ since }) => now - since))
    if (stalledMs < LIMITS.DIGEST_STALLED_MS) return null
    // In whole steps, so that the sentence does not change at every look.
    const steps = Math.floor(stalledMs / LIMITS.DIGEST_STALLED_MS)
    const seconds = (steps * LIMITS.DIGEST_STALLED_MS) / 1000
    const size = sizeText(waiting)
    return finding(
      'digest_stalled',
      `New events are kept but not shown yet: no batch was finished for more than ${seconds} s, while ${size} wait. A batch that takes long ends by itself; if this stays, restart Firsthand: nothing is lost by that.`,
    )
  }
}

/** What the server is doing, in words for the console's banner. */
export const createStatus = (parts: {
  readonly version: string
  readonly startedAt: number
  readonly spool: Pick<Spool, 'pressure' | 'backlogBytes'>
  readonly digest: Pick<DigestHandle, 'state'>
  readonly findings: Pick<Findings, 'current'>
  /** On the configuration; it makes the server neither better nor worse than ok. */
  readonly advice: readonly Omit<Finding, 'since'>[]
  /** Tokens of an organisation whose maker is not known. */
  readonly unknownMakers: (organizationId: number) => Promise<number>
  readonly descriptions: ServerStatus['stores']
  readonly disk: () => Promise<NonNullable<ServerStatus['disk']>>
}): Status => {
  const { spool, digest, findings } = parts
  return async ({ organizationId, isOperator }) => {
    const isOwn = (one: Finding): boolean => one.organizationId === organizationId
    // The rest of the status is worth showing; the spool looks at the same disk and refuses events when it cannot.
    const disk = await parts.disk().catch(() => null)
    const found = findings.current().filter((one) => isOwn(one) || one.organizationId === undefined)
    const sentences = isOperator ? [...parts.advice, ...adviceOnTokens(await parts.unknownMakers(organizationId))] : []
    const advice = sentences.map((entry) => ({ ...entry, since: parts.startedAt }))
    const problems = [...found, ...advice].map((one) => ({
      id: one.id,
      message: isOperator || isOwn(one) ? one.message : sentenceForMembers(one.id),
      since: new Date(one.since).toISOString(),
    }))
    const state = digest.state()
    const backlogBytes = spool.backlogBytes()
    const refusing = spool.pressure() !== 'ok'
    return {
      version: parts.version,
      startedAt: new Date(parts.startedAt).toISOString(),
      status: refusing ? 'refusing' : found.length > 0 ? 'degraded' : 'ok',
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

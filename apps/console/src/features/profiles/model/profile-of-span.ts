import type { ProfileSummary } from '@firsthand/contract'
import type { ProfileUrl } from './profile-search.ts'

/** A span as far as profiles are concerned. Times in microseconds since the epoch, as stored. */
export interface ProfiledSpan {
  readonly traceId: string
  readonly id: string
  readonly projectId: string
  readonly transaction: string
  /** That it ran on; '' when its SDK does not say. */
  readonly thread: string
  readonly start: number
  readonly end: number
}

export interface ProfileLink {
  readonly profile: string
  readonly search: ProfileUrl
}

/**
 * The profile that was taken while a span ran, cut to the time and the thread of the span: of its own transaction if there
 * is one, else what the continuous profiler saw.
 */
export function profileOfSpan(profiles: readonly ProfileSummary[], span: ProfiledSpan): ProfileLink | null {
  const ran = profiles.filter(
    ({ projectId, startMicroseconds, duration }) =>
      projectId === span.projectId && startMicroseconds < span.end && startMicroseconds + duration * 1000 > span.start,
  )
  const found =
    ran.find(({ profilerId, transaction }) => profilerId === '' && transaction === span.transaction) ??
    ran.find(({ profilerId }) => profilerId !== '') ??
    ran[0]
  if (found === undefined) return null
  return {
    profile: found.profilerId === '' ? found.id : found.profilerId,
    search: {
      project: found.projectId,
      ...(found.threads.includes(span.thread) && { thread: span.thread }),
      from: span.start / 1000,
      to: span.end / 1000,
      trace: span.traceId,
      span: span.id,
    },
  }
}

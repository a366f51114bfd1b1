import type { ProfileSummary } from '@firsthand/contract'
import type { ProfileUrl } from './profile-search.ts'

/** A span as far as profiles are concerned. Times in microseconds since the epoch, as stored. */
export interface ProfiledSpan {
  readonly projectId: string
  readonly transaction: string
  readonly start: number
  readonly end: number
}

export interface ProfileLink {
  readonly profile: string
  readonly search: ProfileUrl
}

/**
 * The profile that was taken while a span ran, cut to the time of the span: of its own transaction if there is one, else
 * what the continuous profiler saw.
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
    search: { project: found.projectId, from: span.start / 1000, to: span.end / 1000 },
  }
}

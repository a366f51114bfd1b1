import type { KeyContext } from '../../accounts/settings.ts'
import { isWithin } from '../../lib/clock.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { LIMITS } from '../limits.ts'

/**
 * How many bytes of accepted data a key and an organisation may send in a day, and in an hour a share of that. Only what
 * is accepted counts, with what it costs (`chargesFor`).
 *
 * A DSN is public. A stranger who really sends so much silences the senders of that key or organisation for the rest of
 * the hour, and after `BYTE_QUOTA_HOUR_PARTS` such hours for the rest of the day; nobody else. The owner can raise the
 * limit, or give the senders another key and switch this one off.
 */
export interface ByteQuotas {
  /**
   * Asks for room for what one envelope holds, and counts it when there is some. The one that crosses the limit is let in.
   *
   * @param isSmall session updates and client reports: beyond the limit they have a share of their own, however far the
   *   rest went beyond it, so that a project that is over its quota still knows how many users are affected
   * @param now milliseconds since the epoch
   */
  take(key: KeyContext, bytes: number, isSmall: boolean, now: number): ByteVerdict
  /**
   * Takes back what was counted and is not kept after all.
   *
   * @param takenAt when it was counted
   */
  giveBack(key: KeyContext, bytes: number, isSmall: boolean, takenAt: number): void
  /** Refuses before the body is read, once even sessions and client reports would be refused. */
  spent(key: KeyContext, now: number): ByteVerdict
  /** What is counted, for the next start: a restart gives nobody a new quota. */
  save(): SavedBytes
  /** Grows whenever what is counted changes. */
  changes(): number
}

export type ByteVerdict =
  | { readonly granted: true }
  | {
      readonly granted: false
      readonly scope: 'key' | 'organization'
      readonly reason: 'key_byte_quota' | 'organization_byte_quota'
      /** What is small has no room either. */
      readonly everything: boolean
      /** The limit that was met: so many bytes in an hour or a day. */
      readonly maxBytes: number
      readonly window: Window
      readonly retryAfterSeconds: number
    }

/** Bytes a day where neither the key nor the organisation says otherwise; null is no limit. */
export interface ByteDefaults {
  readonly keyBytesPerDay: number | null
  readonly organizationBytesPerDay: number | null
}

type Window = 'hour' | 'day'

/** Windows by `key:<id>` and `organization:<id>`. */
export type SavedBytes = Readonly<Record<string, SavedUse>>

interface SavedUse {
  /** Milliseconds since the epoch: where the windows begin. */
  day: number
  dayBytes: number
  hour: number
  hourBytes: number
  /** What small items took when the rest had no room any more. */
  daySmallBytes?: number
  hourSmallBytes?: number
}
type Use = Required<SavedUse>

const UNUSED: Readonly<Use> = { day: 0, dayBytes: 0, hour: 0, hourBytes: 0, daySmallBytes: 0, hourSmallBytes: 0 }
const GRANTED: ByteVerdict = { granted: true }

export const createByteQuotas = (defaults: ByteDefaults, saved: SavedBytes = {}): ByteQuotas => {
  let changes = 0
  const uses = new Map<string, Use>(Object.entries(saved).map(([subject, use]) => [subject, { ...UNUSED, ...use }]))

  /** Windows are aligned, so that all that are open end together. A clock that was set back begins new ones. */
  const useOf = (subject: string, now: number): Use => {
    let use = uses.get(subject)
    if (use === undefined) {
      if (uses.size >= LIMITS.QUOTAS_REMEMBERED) {
        for (const [other, { day }] of uses) if (!isWithin(day, DAY_MS, now)) uses.delete(other)
      }
      use = { ...UNUSED }
      uses.set(subject, use)
    }
    if (!isWithin(use.day, DAY_MS, now)) {
      use.day = Math.floor(now / DAY_MS) * DAY_MS
      use.dayBytes = 0
      use.daySmallBytes = 0
    }
    if (!isWithin(use.hour, HOUR_MS, now)) {
      use.hour = Math.floor(now / HOUR_MS) * HOUR_MS
      use.hourBytes = 0
      use.hourSmallBytes = 0
    }
    return use
  }

  const judge = (key: KeyContext, isSmall: boolean, now: number): ByteVerdict => {
    for (const { scope, reason, subject, bytesPerDay } of subjectsOf(key, defaults)) {
      if (bytesPerDay === null) continue
      const use = useOf(subject, now)
      const window = fullWindow(use.dayBytes, use.hourBytes, bytesPerDay)
      if (window === null) continue
      const small = isSmall ? fullWindow(use.daySmallBytes, use.hourSmallBytes, graceOf(bytesPerDay)) : window
      if (small === null) continue
      const waitMs = Math.min(msUntilEnd(use, window, now), msUntilEnd(use, small, now))
      // Whoever raises the limit wants senders back soon, so nobody is sent away for a day.
      const retryAfterSeconds = Math.min(Math.max(1, Math.ceil(waitMs / 1000)), LIMITS.BYTE_QUOTA_RETRY_SECONDS)
      const maxBytes = Math.floor(window === 'day' ? bytesPerDay : bytesPerDay / LIMITS.BYTE_QUOTA_HOUR_PARTS)
      return { granted: false, scope, reason, everything: isSmall, maxBytes, window, retryAfterSeconds }
    }
    return GRANTED
  }

  return {
    take(key, bytes, isSmall, now) {
      const verdict = judge(key, isSmall, now)
      if (!verdict.granted) return verdict
      changes += 1
      for (const { subject, bytesPerDay } of subjectsOf(key, defaults)) {
        if (bytesPerDay === null) continue
        const use = useOf(subject, now)
        if (fullWindow(use.dayBytes, use.hourBytes, bytesPerDay) === null) {
          use.dayBytes += bytes
          use.hourBytes += bytes
        } else {
          use.daySmallBytes += bytes
          use.hourSmallBytes += bytes
        }
      }
      return GRANTED
    },
    giveBack(key, bytes, isSmall, takenAt) {
      changes += 1
      for (const { subject, bytesPerDay } of subjectsOf(key, defaults)) {
        const use = uses.get(subject)
        if (bytesPerDay === null || use === undefined) continue
        if (isWithin(use.day, DAY_MS, takenAt)) {
          const ofShare = isSmall ? Math.min(bytes, use.daySmallBytes) : 0
          use.daySmallBytes -= ofShare
          use.dayBytes = Math.max(0, use.dayBytes - (bytes - ofShare))
        }
        if (isWithin(use.hour, HOUR_MS, takenAt)) {
          const ofShare = isSmall ? Math.min(bytes, use.hourSmallBytes) : 0
          use.hourSmallBytes -= ofShare
          use.hourBytes = Math.max(0, use.hourBytes - (bytes - ofShare))
        }
      }
    },
    spent: (key, now) => judge(key, true, now),
    save: () => Object.fromEntries(uses),
    changes: () => changes,
  }
}

/** Whose windows the bytes of a key are counted in. */
const subjectsOf = (key: KeyContext, defaults: ByteDefaults) =>
  [
    {
      scope: 'organization',
      reason: 'organization_byte_quota',
      subject: `organization:${key.organizationId}`,
      bytesPerDay: lower(key.organizationBytesPerDay, defaults.organizationBytesPerDay),
    },
    {
      scope: 'key',
      reason: 'key_byte_quota',
      subject: `key:${key.keyId}`,
      bytesPerDay: key.bytesPerDay ?? defaults.keyBytesPerDay,
    },
  ] as const

const msUntilEnd = (use: Use, window: Window, now: number): number =>
  (window === 'day' ? use.day + DAY_MS : use.hour + HOUR_MS) - now

/** The window that has no room; null when both have some. */
const fullWindow = (dayBytes: number, hourBytes: number, bytesPerDay: number): Window | null => {
  if (dayBytes >= bytesPerDay) return 'day'
  return hourBytes >= bytesPerDay / LIMITS.BYTE_QUOTA_HOUR_PARTS ? 'hour' : null
}

const graceOf = (bytesPerDay: number): number => bytesPerDay / LIMITS.BYTE_QUOTA_GRACE_PARTS

/** An organisation may ask for less than the installation allows, never for more. */
const lower = (own: number | null, ceiling: number | null): number | null => {
  if (own === null || ceiling === null) return own ?? ceiling
  return Math.min(own, ceiling)
}

/**
 * What an installation allows by default: relative to its disk, so that no organisation fills it in a day.
 *
 * @param diskBytes size of the volume that keeps the events; null when it is not known
 */
export const byteDefaults = (
  diskBytes: number | null,
  configured: { readonly organizationBytesPerDay: number | null },
): ByteDefaults => {
  const share = diskBytes === null ? Infinity : Math.floor(diskBytes / LIMITS.BYTE_QUOTA_DISK_PARTS)
  const organization = configured.organizationBytesPerDay ?? Math.min(LIMITS.ORGANIZATION_BYTES_PER_DAY, share)
  if (organization === 0) return { keyBytesPerDay: null, organizationBytesPerDay: null }
  return { organizationBytesPerDay: organization, keyBytesPerDay: Math.floor(organization / 2) }
}

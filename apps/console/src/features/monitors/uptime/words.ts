import type { UptimeCheck } from '@firsthand/contract'
import { formatDuration } from '../../../lib/format.ts'

/** What stands below the name of an address. */
export function uptimeSubtitle({ intervalSeconds, method, textPresent }: UptimeCheck): string {
  const each = intervalSeconds === 60 ? 'each minute' : `every ${formatDuration(intervalSeconds * 1000)}`
  return `${method} ${each}${textPresent === '' ? '' : ` · text “${textPresent}”`}`
}

const DAY_MS = 86_400_000

/** When its certificate ends, and whether somebody should care; null without one. */
export function certificateWords(
  { certificateEndsAt }: Pick<UptimeCheck, 'certificateEndsAt'>,
  now: number,
): { readonly text: string; readonly isSoon: boolean } | null {
  if (certificateEndsAt === null) return null
  const days = Math.floor((Date.parse(certificateEndsAt) - now) / DAY_MS)
  if (days < 0) return { text: 'TLS has ended', isSoon: true }
  return { text: `TLS ends in ${days === 1 ? '1 day' : `${days} days`}`, isSoon: days <= 14 }
}

export function uptimeAlert({ downtimeThreshold, isMuted, status }: UptimeCheck): string {
  if (status === 'disabled') return 'off'
  if (isMuted) return 'muted'
  return downtimeThreshold === 1 ? 'tells at once' : `tells after ${downtimeThreshold}`
}

export const isDown = ({ isMuted, status, uptimeStatus }: UptimeCheck): boolean =>
  status === 'active' && !isMuted && uptimeStatus === 'down'

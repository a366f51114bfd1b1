import { formatAge, formatExact } from '../lib/format.ts'
import { useNow } from '../lib/now.ts'

export interface RelativeTimeProps {
  /** Milliseconds since the epoch, or an ISO 8601 text. */
  readonly time: number | string
  /** `age`: "12 s" as in the stream · `ago`: "12 s ago" in running text · `until`: "in 12 s", of what is still to come. */
  readonly form?: 'age' | 'ago' | 'until'
  readonly className?: string | undefined
}

const SECOND_MS = 1000
const MINUTE_MS = 60_000

/** How long ago, or how long until then, live; the exact time on hover and for machines. */
export function RelativeTime({ time, form = 'ago', className }: RelativeTimeProps) {
  const timeMs = typeof time === 'number' ? time : Date.parse(time)
  // Young times tick by the second, old ones by the minute: fewer renders in long lists.
  const young = useNow(MINUTE_MS) - timeMs < 2 * MINUTE_MS
  const now = useNow(young ? SECOND_MS : MINUTE_MS)
  if (!Number.isFinite(timeMs)) return <span className={className}>–</span>
  return (
    <time dateTime={new Date(timeMs).toISOString()} title={formatExact(timeMs)} className={className}>
      {wordsOf(form, now - timeMs)}
    </time>
  )
}

function wordsOf(form: NonNullable<RelativeTimeProps['form']>, sinceMs: number): string {
  const age = formatAge(form === 'until' ? -sinceMs : sinceMs)
  switch (form) {
    case 'age':
      return age
    case 'ago':
      return age === '0 s' ? 'just now' : `${age} ago`
    case 'until':
      return age === '0 s' ? 'now' : `in ${age}`
  }
}

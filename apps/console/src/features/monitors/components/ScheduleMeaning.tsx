import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import { formatMoment } from '../../../lib/moments.ts'
import { clocksOf } from '../model/clocks.ts'
import { scheduleOfValues, type MonitorValues } from '../model/draft.ts'
import { scheduleWords } from '../model/words.ts'
import { scheduleQuery } from '../queries.ts'
import styles from './ScheduleMeaning.module.css'

/** A schedule in words, and its next times as the server finds them; or why it is none. */
export function ScheduleMeaning({ org, values }: { readonly org: string; readonly values: MonitorValues }) {
  const { kind, timezone } = values
  const schedule = scheduleOfValues(values)
  const asked = useDeferredValue(
    JSON.stringify({
      schedule: typeof schedule === 'string' ? schedule : String(schedule[0]),
      unit: kind === 'interval' ? values.unit : null,
      timezone,
    }),
  )
  const { data } = useQuery(scheduleQuery(org, JSON.parse(asked) as Parameters<typeof scheduleQuery>[1]))
  const words = scheduleWords(schedule)
  return (
    <div className={styles.meaning} aria-live="polite">
      {data?.error === undefined || data.error === null ? (
        <p className={styles.words}>{words ?? 'Write a schedule.'}</p>
      ) : (
        <p className={styles.problem}>{data.error}</p>
      )}
      {data === undefined || data.next.length === 0 ? null : (
        <ol className={styles.next} aria-label="Next times">
          {data.next.map((time) => (
            <NextTime key={time} at={Date.parse(time)} zone={timezone === '' ? 'UTC' : timezone} />
          ))}
        </ol>
      )}
    </div>
  )
}

/** By the reader's clock, and by that of the schedule where that shows something else. */
function NextTime({ at, zone }: { readonly at: number; readonly zone: string }) {
  const { there } = clocksOf(at, zone)
  return (
    <li>
      {formatMoment('weekday', at)} {formatMoment('clock', at)}
      {there === null ? null : ` (${there})`}
    </li>
  )
}

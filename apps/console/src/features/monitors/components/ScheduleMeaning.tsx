import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

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
  const format = formatOf(timezone)
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
            <li key={time}>{format.format(Date.parse(time))}</li>
          ))}
        </ol>
      )}
    </div>
  )
}

const LOOK = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const

/** In the zone of the schedule, as far as the browser knows it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { ...LOOK, timeZone: timeZone === '' ? 'UTC' : timeZone })
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...LOOK, timeZone: 'UTC' })
  }
}

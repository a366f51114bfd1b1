import { formatMoment, type MomentStyle } from '../../../lib/moments.ts'
import { useNow } from '../../../lib/now.ts'
import { axisMarks } from '../model/axis.ts'
import type { Hours } from '../model/monitors-search.ts'
import styles from './Axis.module.css'

const STYLES = { '24': 'clock', '168': 'weekday', '720': 'date' } as const satisfies Readonly<
  Record<Hours, MomentStyle>
>

/** When the bars of a time line were. */
export function Axis({ hours }: { readonly hours: Hours }) {
  const now = useNow(60_000)
  return (
    <span className={styles.axis} aria-hidden="true">
      {axisMarks(Number(hours), now).map(({ at, time }) => (
        <span key={time} className={styles.mark} style={{ insetInlineStart: `${at * 100}%` }}>
          {formatMoment(STYLES[hours], time)}
        </span>
      ))}
      <span className={styles.now}>now</span>
    </span>
  )
}

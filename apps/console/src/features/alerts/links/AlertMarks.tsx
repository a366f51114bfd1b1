import { formatExact } from '../../../lib/format.ts'
import { Link } from '../../../ui/index.ts'
import { useAlertMarks } from './marks.ts'
import styles from './AlertMarks.module.css'

/** Above a chart of an issue: when an alert spoke of it. Each leads to its alert. */
export function AlertMarks({
  org,
  issue,
  fromMs,
  toMs,
}: {
  readonly org: string
  readonly issue: string
  /** What the chart shows, from its left end to its right. */
  readonly fromMs: number
  readonly toMs: number
}) {
  const marks = useAlertMarks(org, { issue }).filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs)
  return marks.map(({ alert, label, timeMs }) => (
    <Link
      key={`${alert} ${timeMs}`}
      look="plain"
      className={styles.mark}
      style={{ left: `${((timeMs - fromMs) / Math.max(1, toMs - fromMs)) * 100}%` }}
      to="/organizations/$org/alerts/$alert"
      params={{ org, alert }}
      title={`${label}, ${formatExact(timeMs)}`}
      aria-label={`${label}, ${formatExact(timeMs)}`}
    />
  ))
}

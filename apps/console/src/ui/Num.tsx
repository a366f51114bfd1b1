import { cx } from '../lib/cx.ts'
import { formatCompact, formatCount } from '../lib/format.ts'
import styles from './Num.module.css'

/** A number: grouped, tabular; null is an en dash. `compact` shortens (48.2K) and keeps the exact value on hover. */
export function Num({
  value,
  compact = false,
  className,
}: {
  readonly value: number | null | undefined
  readonly compact?: boolean
  readonly className?: string | undefined
}) {
  if (value === null || value === undefined) return <span className={cx(styles.number, className)}>–</span>
  const exact = formatCount(value)
  return (
    <span className={cx(styles.number, className)} title={compact && value >= 1000 ? exact : undefined}>
      {compact ? formatCompact(value) : exact}
    </span>
  )
}

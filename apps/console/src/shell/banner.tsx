import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { WarningIcon } from '../ui/index.ts'
import styles from './status-banner.module.css'

/** Stands over every page of an organisation while something is wrong; never taller than a quarter of the window. */
export function Banner({
  severe,
  control,
  details,
  children,
}: {
  readonly severe: boolean
  readonly control?: ReactNode
  readonly details?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div role="status" className={cx(styles.banner, severe && styles.severe)}>
      <WarningIcon className={styles.icon} />
      <div className={styles.text}>
        <p className={cx(control !== undefined && control !== null && styles.line)}>{children}</p>
        {details}
      </div>
      {control}
    </div>
  )
}

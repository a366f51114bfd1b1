import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import styles from './Skeleton.module.css'

/** The shape of what is coming. `width` and `height` as CSS lengths. Hidden from assistive technology. */
export function Skeleton({
  width = '100%',
  height = 12,
  className,
}: {
  readonly width?: number | string
  readonly height?: number
  readonly className?: string | undefined
}) {
  return <span aria-hidden="true" className={cx(styles.skeleton, className)} style={{ width, height }} />
}

/** Around the shape of a whole part that is coming: one sentence for those who do not see it, and nothing for a blink. */
export function Outline({
  label,
  className,
  children,
}: {
  /** "Loading the issue". */
  readonly label: string
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <div role="status" aria-label={label} className={cx(styles.outline, className)}>
      {children}
    </div>
  )
}

/** Several grey lines, with one sentence for those who do not see them. */
export function SkeletonRows({
  rows = 6,
  rowHeight = 32,
  label = 'Loading',
}: {
  readonly rows?: number
  readonly rowHeight?: number
  readonly label?: string
}) {
  return (
    <Outline label={label} className={styles.rows}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles.row} style={{ height: rowHeight }}>
          <Skeleton width={`${40 + ((index * 37) % 45)}%`} />
        </div>
      ))}
    </Outline>
  )
}

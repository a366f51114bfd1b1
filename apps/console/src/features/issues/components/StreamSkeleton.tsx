import { Outline, Skeleton } from '../../../ui/index.ts'
import styles from './StreamSkeleton.module.css'

const ROWS = 10

/** The outline of the stream while it loads: rows where rows will be. */
export function StreamSkeleton() {
  return (
    <Outline label="Loading issues">
      {Array.from({ length: ROWS }, (_, index) => (
        <div key={index} className={styles.row}>
          <div className={styles.main}>
            <Skeleton width={`${34 + ((index * 29) % 31)}%`} />
            <Skeleton width={`${18 + ((index * 17) % 15)}%`} height={10} />
          </div>
          <Skeleton height={18} className={styles.chart} />
          <Skeleton width={36} className={styles.number} />
          <Skeleton width={28} className={styles.wide} />
        </div>
      ))}
    </Outline>
  )
}

import { Outline, Panel, Skeleton } from '../../../ui/index.ts'
import styles from './ReceiptsOutline.module.css'

const ROWS = 5

/** The shape of the receipts while they load: what became of all of it, when, and the table. */
export function ReceiptsOutline() {
  return (
    <Outline label="Loading the receipts" className={styles.outline}>
      <div className={styles.tile}>
        <Skeleton width={80} />
        <Skeleton width={110} height={20} />
        <Skeleton width={96} height={10} />
      </div>
      <Panel>
        <div className={styles.chart}>
          <Skeleton width={180} />
        </div>
      </Panel>
      <Panel content="rows">
        {Array.from({ length: ROWS }, (_, index) => (
          <div key={index} className={styles.row}>
            <Skeleton width={72} />
            <Skeleton width={`${28 + ((index * 23) % 30)}%`} />
            <Skeleton width={56} className={styles.end} />
          </div>
        ))}
      </Panel>
    </Outline>
  )
}

import { PageBody, SkeletonRows } from '../ui/index.ts'
import styles from './pending-page.module.css'

/** The outline of a page whose code is on its way. */
export function PendingPage() {
  return (
    <PageBody>
      <SkeletonRows rows={8} rowHeight={44} />
    </PageBody>
  )
}

/** The same before it is known who looks: with the room of the side bar, which comes with the answer. */
export function PendingFrame() {
  return (
    <div className={styles.frame}>
      <PendingPage />
    </div>
  )
}

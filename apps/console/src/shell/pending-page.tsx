import { PageBody, Skeleton, SkeletonRows } from '../ui/index.ts'
import { type NavigationEntry, useFeatures } from './feature.ts'
import styles from './pending-page.module.css'

/** The outline of a page whose code is on its way: its bar, and rows. */
export function PendingPage() {
  return (
    <div>
      <div className={styles.header} aria-hidden="true">
        <Skeleton width={120} height={14} />
      </div>
      <PageBody>
        <SkeletonRows rows={8} rowHeight={44} />
      </PageBody>
    </div>
  )
}

/** The same before it is known who looks, with the outline of the side bar: nothing moves when the answer comes. */
export function PendingFrame() {
  const entries = useFeatures().flatMap(({ navigation = [] }) => navigation)
  const outline = ({ page, label }: NavigationEntry) => (
    <div key={page.path} className={styles.entry}>
      <Skeleton className={styles.icon} width={16} height={16} />
      <Skeleton className={styles.label} width={`${label.length}ch`} height={10} />
    </div>
  )
  return (
    <div className={styles.frame}>
      <div className={styles.bar} aria-hidden="true">
        <div className={styles.head}>
          <Skeleton height={20} />
        </div>
        {entries.filter(({ place }) => place === 'top').map(outline)}
        <div className={styles.foot}>
          {entries.filter(({ place }) => place === 'foot').map(outline)}
          <div className={styles.person}>
            <Skeleton className={styles.icon} width={20} height={20} />
            <Skeleton className={styles.label} width={80} height={10} />
          </div>
        </div>
      </div>
      <PendingPage />
    </div>
  )
}

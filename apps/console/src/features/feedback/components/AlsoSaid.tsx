import type { FeedbackDetail } from '@firsthand/contract'

import { Button, Link, RelativeTime, VisibleText } from '../../../ui/index.ts'
import { reporterOf } from '../model/report.ts'
import styles from './AlsoSaid.module.css'

/** Reports of the same words, one line each: who, and when. Their words need not be read again. */
export function AlsoSaid({
  org,
  reports,
  count,
  onSeparate,
}: {
  readonly org: string
  readonly reports: FeedbackDetail['merged']
  /** How many there are, also those that are not in `reports`. */
  readonly count: number
  /** Absent for those who may not change reports. */
  readonly onSeparate: ((id: string) => void) | undefined
}) {
  if (reports.length === 0) return null
  return (
    <details className={styles.box} open={reports.length <= 3}>
      <summary className={styles.summary}>
        {count === 1 ? '1 other report says the same' : `${count} other reports say the same`}
      </summary>
      <ul className={styles.list} aria-label="Reports that say the same">
        {reports.map((report) => (
          <li key={report.id}>
            <Link look="text" to="/organizations/$org/feedback" params={{ org }} search={{ report: report.id }}>
              <VisibleText text={reporterOf(report)} />
            </Link>
            <RelativeTime time={report.dateCreated} className={styles.time} />
            {onSeparate === undefined ? null : (
              <Button size="small" variant="ghost" onClick={() => onSeparate(report.id)}>
                Separate
              </Button>
            )}
          </li>
        ))}
      </ul>
      {count > reports.length ? <p className={styles.rest}>and {count - reports.length} more</p> : null}
    </details>
  )
}

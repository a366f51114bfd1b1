import { useQueries } from '@tanstack/react-query'
import { formatSpent } from '../../../lib/spent-time.ts'
import { VisibleText } from '../../../ui/index.ts'
import type { TransactionSearch } from '../model/performance-search.ts'
import { WAIT_DIMENSIONS } from '../model/waits.ts'
import { waitsQuery } from '../queries.ts'
import styles from './WhoWaits.module.css'

/** p95 by release, browser and country: whom it is slow for. Nothing where there are no two to compare. */
export function WhoWaits({ org, search }: { readonly org: string; readonly search: TransactionSearch }) {
  const answers = useQueries({ queries: WAIT_DIMENSIONS.map(([field]) => waitsQuery(org, search, field)) })
  // All at once: else each would push down the next.
  if (answers.some(({ isPending }) => isPending)) return null
  const groups = WAIT_DIMENSIONS.map(([, label], place) => ({ label, waits: answers[place]?.data ?? [] })).filter(
    ({ waits }) => waits.length > 0,
  )
  if (groups.length === 0) return null
  return (
    <section className={styles.part} aria-label="Who waits longest">
      {groups.map(({ label, waits }, place) => (
        <div key={label} className={styles.group}>
          <h2 className={styles.head}>
            <span>{place === 0 ? `Who waits longest, by ${label}` : label}</span>
            <span>p95</span>
          </h2>
          <ul className={styles.rows}>
            {waits.map(({ value, name, p95, share, isSlow }) => (
              <li key={value} className={styles.row}>
                <span className={styles.name} title={value}>
                  <VisibleText text={name} />
                </span>
                <span className={styles.track} aria-hidden="true">
                  <span
                    className={styles.bar}
                    data-slow={isSlow ? '' : undefined}
                    style={{ width: `${share * 100}%` }}
                  />
                </span>
                <span className={styles.time}>{formatSpent(p95)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

import { Num } from '../../../ui/index.ts'
import { OUTCOME_LABELS, OUTCOME_ORDER, isReceived, sumReceived, type Outcome } from '../model/receipts.ts'
import styles from './OutcomeTiles.module.css'

/** One number per outcome; pressing one shows only that. Outcomes that did not occur are left out. */
export function OutcomeTiles({
  sums,
  chosen,
  onChoose,
}: {
  readonly sums: ReadonlyMap<Outcome, number>
  readonly chosen: Outcome | undefined
  readonly onChoose: (outcome: Outcome) => void
}) {
  const total = sumReceived(sums)
  return (
    <div className={styles.tiles} role="group" aria-label="Outcomes">
      {OUTCOME_ORDER.filter((outcome) => sums.has(outcome) || outcome === chosen || outcome === 'accepted').map(
        (outcome) => {
          const { label, tone, means } = OUTCOME_LABELS[outcome]
          const value = sums.get(outcome) ?? 0
          return (
            <button
              key={outcome}
              type="button"
              className={styles.tile}
              aria-pressed={outcome === chosen}
              onClick={() => onChoose(outcome)}
            >
              <span className={styles.label}>
                <span className={styles.swatch} data-tone={tone} />
                {label}
              </span>
              <span className={styles.value}>
                <Num value={value} />
                <span className={styles.share}>{isReceived(outcome) ? share(value, total) : ''}</span>
              </span>
              <span className={styles.means}>{means}</span>
            </button>
          )
        },
      )}
    </div>
  )
}

function share(value: number, total: number): string {
  if (total === 0 || value === 0) return ''
  const percent = (value / total) * 100
  return percent < 0.1
    ? '< 0.1%'
    : percent > 99.9 && percent < 100
      ? '> 99.9%'
      : `${percent.toFixed(percent < 10 ? 1 : 0)}%`
}

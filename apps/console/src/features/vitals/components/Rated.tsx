import { Badge, VisuallyHidden } from '../../../ui/index.ts'
import { formatVital, isThin, RATING_TONES, RATING_WORDS, ratingOf } from '../model/vitals.ts'
import type { Vital } from '../model/vitals-url.ts'
import styles from './Rated.module.css'

/** The rating of a value as a word. */
export function RatingBadge({ vital, value }: { readonly vital: Vital; readonly value: number | null }) {
  if (value === null) return null
  const rating = ratingOf(vital, value)
  return <Badge tone={RATING_TONES[rating]}>{RATING_WORDS[rating]}</Badge>
}

/** Says that there are too few to tell what is typical. */
export function ThinBadge({ samples }: { readonly samples: number }) {
  return isThin(samples) ? <Badge>Few samples</Badge> : null
}

/** A value in a table: its mark tells the rating by form as well as by colour. */
export function RatedValue({
  vital,
  value,
  samples,
}: {
  readonly vital: Vital
  readonly value: number | null
  readonly samples: number
}) {
  if (value === null) return <span className={styles.none}>–</span>
  const rating = ratingOf(vital, value)
  const few = isThin(samples)
  return (
    <span
      className={styles.value}
      data-rating={rating}
      data-thin={few ? '' : undefined}
      title={`${RATING_WORDS[rating]}${few ? `, from ${samples} ${samples === 1 ? 'sample' : 'samples'} only` : ''}`}
    >
      <svg className={styles.mark} width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        {rating === 'good' ? (
          <circle cx="4" cy="4" r="3" />
        ) : rating === 'middling' ? (
          <path d="M4 .6 7.700 7.200H.3z" />
        ) : (
          <path d="M.8.8h6.400v6.400H.8z" />
        )}
      </svg>
      {formatVital(vital, value)}
      <VisuallyHidden>
        {' '}
        {RATING_WORDS[rating]}
        {few ? ', few samples' : ''}
      </VisuallyHidden>
    </span>
  )
}

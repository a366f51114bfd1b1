import type { FallbackProps } from '@firsthand/react'
import { FeedbackButton } from '@firsthand/react'
import type { ReactNode } from 'react'
import styles from './Problem.module.css'

interface ProblemProps {
  readonly title: string
  readonly eventId: string
  readonly onRetry?: () => void
}

/** What the shopper sees when something broke: what it means, and what can be done. */
export const Problem = ({ title, eventId, onRetry }: ProblemProps): ReactNode => (
  <section className={styles.problem} role="alert">
    <h2>{title}</h2>
    <p>It is our fault, and we have been told. If you say what you were doing, we find it sooner.</p>
    <p className={styles.actions}>
      <FeedbackButton className="main" eventId={eventId}>
        Tell us what happened
      </FeedbackButton>
      {onRetry !== undefined && (
        <button type="button" className="quiet" onClick={onRetry}>
          Try again
        </button>
      )}
    </p>
    <p className={styles.id}>
      Event <code>{eventId}</code>
    </p>
  </section>
)

/** For boundaries around a part of a page. */
export const problemFallback =
  (title: string) =>
  ({ eventId, resetError }: FallbackProps): ReactNode => (
    <Problem title={title} eventId={eventId} onRetry={resetError} />
  )

import { describeError } from '../../../lib/api.ts'
import styles from './PartFailed.module.css'

/** A part of the page that could not be loaded says so in its place, with the reason, and can be tried again. */
export function PartFailed({
  what,
  error,
  onRetry,
}: {
  /** "The tags could not be loaded." */
  readonly what: string
  readonly error: Error
  readonly onRetry: () => unknown
}) {
  return (
    <p role="alert" className={styles.failed}>
      {what} {describeError(error).detail}{' '}
      <button type="button" className={styles.retry} onClick={() => void onRetry()}>
        Try again
      </button>
    </p>
  )
}

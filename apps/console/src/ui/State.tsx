import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { Button } from './Button.tsx'
import { ErrorIcon, type Icon, RefreshIcon, SearchIcon } from './icons.tsx'
import styles from './State.module.css'

export interface EmptyStateProps {
  readonly icon?: Icon
  /** What is the case: "No issues match this search". */
  readonly title: ReactNode
  /** Why, and what to do next. */
  readonly children?: ReactNode
  /** The next step: a Button or ButtonLink. */
  readonly action?: ReactNode
  /** Smaller, inside a panel. */
  readonly compact?: boolean
  /** The title is the heading of the whole page. */
  readonly page?: boolean
}

/** Nothing here, or nothing matches: says why and what to do next. */
export function EmptyState({ icon: Drawn, title, children, action, compact = false, page = false }: EmptyStateProps) {
  const Title = page ? 'h1' : 'p'
  return (
    <div className={cx(styles.state, compact && styles.compact)}>
      {Drawn ? (
        <span className={styles.icon}>
          <Drawn size={20} />
        </span>
      ) : null}
      <Title className={styles.title}>{title}</Title>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  )
}

export interface ErrorStateProps {
  /** What failed: "The issues could not be loaded". */
  readonly title: ReactNode
  /** The reason in the server's words, when there is one. */
  readonly detail?: ReactNode
  /** Finds the failure in the server's log. */
  readonly digest?: string | undefined
  readonly onRetry?: (() => void) | undefined
  /** Another way on: a ButtonLink beside "Try again". */
  readonly action?: ReactNode
  readonly compact?: boolean
  /** The title is the heading of the whole page. */
  readonly page?: boolean
}

/** Something failed: says what, why, and lets the reader try again. */
export function ErrorState({ title, detail, digest, onRetry, action, compact = false, page = false }: ErrorStateProps) {
  const Title = page ? 'h1' : 'p'
  return (
    <div className={cx(styles.state, compact && styles.compact)} role="alert">
      <span className={cx(styles.icon, styles.failed)}>
        <ErrorIcon size={20} />
      </span>
      <Title className={styles.title}>{title}</Title>
      <div className={styles.text}>
        {detail === undefined ? null : <p>{detail}</p>}
        {digest === undefined ? null : (
          <p>
            Digest: <code>{digest}</code>
          </p>
        )}
      </div>
      {onRetry === undefined && action === undefined ? null : (
        <div className={styles.action}>
          {onRetry === undefined ? null : (
            <Button icon={RefreshIcon} onClick={onRetry}>
              Try again
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  )
}

interface NoMatchProps {
  /** "No page matches". */
  readonly title: string
  /** When something matches. */
  readonly children: ReactNode
  readonly onClear: () => void
  /** Another way on, beside "Clear the search". */
  readonly action?: ReactNode
}

/** Nothing is what is searched for. */
export function NoMatch({ title, children, onClear, action }: NoMatchProps) {
  return (
    <EmptyState
      icon={SearchIcon}
      title={title}
      action={
        <>
          <Button onClick={onClear}>Clear the search</Button>
          {action}
        </>
      }
    >
      {children}
    </EmptyState>
  )
}

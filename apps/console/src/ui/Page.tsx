import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import styles from './Page.module.css'

export interface PageHeaderProps {
  readonly title: ReactNode
  /** Filters beside the title. */
  readonly children?: ReactNode
  /** At the right end. */
  readonly actions?: ReactNode
  /** That of the body below: the actions stand above what they act on, however wide the window is. */
  readonly width?: 'wide' | 'narrow'
}

/** The bar at the top of a screen: title, filters, actions. It stays while the page scrolls. */
export function PageHeader({ title, children, actions, width = 'wide' }: PageHeaderProps) {
  return (
    <header className={cx(styles.header, width === 'narrow' && styles.narrowHeader)}>
      <h1 className={styles.title}>{title}</h1>
      {children}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </header>
  )
}

/** The content under a `PageHeader`. `narrow` for forms and reading, `wide` for everything else. */
export function PageBody({
  width = 'wide',
  className,
  children,
}: {
  readonly width?: 'wide' | 'narrow'
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return <div className={cx(styles.body, width === 'narrow' && styles.narrow, className)}>{children}</div>
}

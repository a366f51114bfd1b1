import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import styles from './Panel.module.css'

export interface PanelProps {
  readonly title?: ReactNode
  /** Beside the title, in second ink. */
  readonly subtitle?: ReactNode
  /** At the right of the head: a segmented control, a button. */
  readonly actions?: ReactNode
  /** Under the content, for the buttons of a form. */
  readonly footer?: ReactNode
  /** `rows`: content draws to the edges (tables, lists) · `padded`: 16 px inside. */
  readonly content?: 'rows' | 'padded'
  readonly level?: 2 | 3
  readonly className?: string | undefined
  readonly children?: ReactNode
}

/** A white box with a line around it, and a head when it has a title. */
export function Panel({
  title,
  subtitle,
  actions,
  footer,
  content = 'padded',
  level = 2,
  className,
  children,
}: PanelProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section className={cx(styles.panel, className)}>
      {title === undefined && actions === undefined ? null : (
        <header className={styles.header}>
          <div className={styles.titles}>
            {title === undefined ? null : <Heading className={styles.title}>{title}</Heading>}
            {subtitle === undefined ? null : <span className={styles.subtitle}>{subtitle}</span>}
          </div>
          {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      <div className={content === 'padded' ? styles.padded : undefined}>{children}</div>
      {footer === undefined ? null : <footer className={styles.footer}>{footer}</footer>}
    </section>
  )
}

import type { ReactNode } from 'react'
import styles from './AuthPage.module.css'

/** The quiet page around log-in, invitation and set-up: mark, title, one box. */
export function AuthPage({
  title,
  lead,
  wide = false,
  children,
}: {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly wide?: boolean
  readonly children: ReactNode
}) {
  return (
    <main className={styles.page} data-wide={wide || undefined}>
      <div className={styles.brand}>
        <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" className={styles.mark}>
          <rect width="32" height="32" rx="8" fill="currentColor" />
          <path d="M12 24V8h10M12 16h8" className={styles.letter} />
        </svg>
        <span>Firsthand</span>
      </div>
      <div className={styles.box}>
        <h1 className={styles.title}>{title}</h1>
        {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
        {children}
      </div>
    </main>
  )
}

import type { ReactNode } from 'react'
import styles from './Part.module.css'

/** One question of the side column, with what answers it. */
export function Part({
  title,
  beside,
  children,
}: {
  readonly title: string
  readonly beside?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className={styles.part} aria-label={title}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {beside}
      </header>
      {children}
    </section>
  )
}

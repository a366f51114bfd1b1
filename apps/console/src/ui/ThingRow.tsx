import type { ReactNode } from 'react'
import styles from './ThingRow.module.css'

/** Things that were set up, below each other in a panel of `rows`. */
export function ThingRows({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  )
}

interface ThingRowProps {
  readonly name: ReactNode
  /** Lines below the name; what is null is left out. */
  readonly about: readonly ReactNode[]
  /** When something last came of it, before its end. */
  readonly when?: ReactNode
  /** State and actions, at the end. */
  readonly children?: ReactNode
}

/** What a thing is called, what it is, and what can be done with it. */
export function ThingRow({ name, about, when = null, children }: ThingRowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.main}>
        <p className={styles.name}>{name}</p>
        {about.map((line, place) =>
          line === null ? null : (
            // Lines have their places.
            <p key={place} className={styles.sub}>
              {line}
            </p>
          ),
        )}
      </div>
      <div className={styles.end}>
        {when === null ? null : <span className={styles.when}>{when}</span>}
        {children}
      </div>
    </li>
  )
}

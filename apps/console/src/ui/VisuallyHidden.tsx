import type { ReactNode } from 'react'
import styles from './VisuallyHidden.module.css'

/** Text that is read out and not seen: the name of a control that shows only a sign. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }) {
  return <span className={styles.hidden}>{children} </span>
}

import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { type Icon, Num, VisuallyHidden } from '../ui/index.ts'
import styles from './navigation.module.css'

/** Parts of the side bar, for the shell and for the sections that features add to it. */

/** Class of a link of the side bar; a `SideBarLabel` stands in it. */
export const sideBarLink = styles.entry

/** Class of the small button beside the name of a section. */
export const sideBarAction = styles.add

export function SideBarLabel({ icon: Drawn, children }: { readonly icon: Icon; readonly children: ReactNode }) {
  return (
    <>
      <Drawn className={styles.icon} />
      <span className={styles.text}>{children}</span>
    </>
  )
}

/** A number beside a label. Nothing stands there when it is 0 or not known yet. */
export function SideBarCount({
  count,
  of,
  upTo,
  asks = false,
  isUnknown = false,
}: {
  readonly count: number | null
  readonly of: string | undefined
  /** Counting stopped there. */
  readonly upTo?: number | undefined
  /** It waits for the one who reads it. */
  readonly asks?: boolean
  /** It was asked for and could not be had, which is not the same as none. */
  readonly isUnknown?: boolean
}) {
  if (isUnknown) {
    return (
      <span className={styles.count} title="This could not be counted just now.">
        <span aria-hidden>–</span>
        <VisuallyHidden> could not be counted</VisuallyHidden>
      </span>
    )
  }
  if (count === null || count === 0) return null
  return (
    <span className={cx(styles.count, asks && styles.asks)}>
      <Num value={count} compact />
      {count === upTo ? '+' : ''}
      <VisuallyHidden> {of}</VisuallyHidden>
    </span>
  )
}

/** A named group of links, each in a `<li>`. */
export function SideBarSection({
  label,
  action,
  children,
}: {
  readonly label: string
  readonly action: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className={styles.section} aria-label={label}>
      <div className={styles.label}>
        {label}
        {action}
      </div>
      <ul className={styles.group}>{children}</ul>
    </section>
  )
}

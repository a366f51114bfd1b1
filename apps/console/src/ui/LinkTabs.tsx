import { createLink } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useRef } from 'react'
import { cx } from '../lib/cx.ts'
import { useInSight } from '../lib/use-in-sight.ts'
import styles from './LinkTabs.module.css'
import tabStyles from './Tabs.module.css'

interface LinkTabsProps {
  readonly 'aria-label': string
  /** Names the tab that one is on: when it changes, that one is brought into sight. */
  readonly current: string
  /** `LinkTab`s. */
  readonly children: ReactNode
}

/** Pages beside one another, as links that look like tabs; a row that is too long scrolls. */
export function LinkTabs({ 'aria-label': label, current, children }: LinkTabsProps) {
  const row = useRef<HTMLElement>(null)
  useInSight(row, current)
  return (
    <nav ref={row} aria-label={label} className={styles.tabs}>
      {children}
    </nav>
  )
}

interface TabProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> {
  readonly ref?: Ref<HTMLAnchorElement>
  /** Whether one is on it: an address alone may not say so. */
  readonly isCurrent: boolean
  /** At the end of the row: it leads elsewhere. */
  readonly isApart?: boolean
  /** How many there are. */
  readonly count?: ReactNode
}

function Tab({ isCurrent, isApart = false, count, children, ...rest }: TabProps) {
  return (
    <a {...rest} className={cx(tabStyles.tab, isApart && styles.apart)} aria-current={isCurrent ? 'page' : undefined}>
      {children}
      {count === undefined ? null : <span className={tabStyles.count}>{count}</span>}
    </a>
  )
}

/** A tab of `LinkTabs`, typed by the router. */
export const LinkTab = createLink(Tab)

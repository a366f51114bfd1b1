import type { ReactNode } from 'react'
import { cx } from '../../../lib/cx.ts'
import { FilterSheet } from '../../../ui/index.ts'
import { ScopeFilters, type ScopeProps } from './StreamFilters.tsx'
import styles from './ScopeBar.module.css'

interface ScopeBarProps extends ScopeProps {
  /** What the button of the sheet says on a phone: "Show traces". */
  readonly done: string
  /** On a phone the sheet's button stands at the end of its line. */
  readonly atEnd?: boolean
  /** Further filters of the screen, and how many of them are set. */
  readonly further?: { readonly filters: ReactNode; readonly active: number }
}

/** Which projects, environments and time a screen is about; on a phone they wait in a sheet. */
export function ScopeBar({ done, atEnd = false, further, ...scope }: ScopeBarProps) {
  const { project, environment } = scope.search
  return (
    <>
      <div className={styles.filters}>
        <ScopeFilters {...scope} />
        {further?.filters}
      </div>
      <FilterSheet
        active={Number(project.length > 0) + Number(environment.length > 0) + (further?.active ?? 0)}
        done={done}
        className={cx(styles.sheetButton, atEnd && styles.atEnd)}
      >
        <ScopeFilters {...scope} />
        {further?.filters}
      </FilterSheet>
    </>
  )
}

import { Tabs as Base } from '@base-ui/react/tabs'
import { useRef, type ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { formatCount } from '../lib/format.ts'
import { useInSight } from '../lib/use-in-sight.ts'
import styles from './Tabs.module.css'

export interface TabOption<Value extends string> {
  readonly value: Value
  readonly label: ReactNode
  readonly count?: number | undefined
}

export interface TabsProps<Value extends string> {
  readonly value: Value
  readonly onValueChange: (value: Value) => void
  readonly tabs: readonly TabOption<Value>[]
  readonly 'aria-label': string
  /** Without the indent of a page: inside a column whose panels it should line up with. */
  readonly flush?: boolean
  /** The content of the chosen tab; it is tied to its tab for assistive technology. */
  readonly children: ReactNode
}

/** Views of one thing, one at a time, underlined in the accent; the panel follows. */
export function Tabs<Value extends string>({
  value,
  onValueChange,
  tabs,
  flush = false,
  children,
  'aria-label': label,
}: TabsProps<Value>) {
  const row = useRef<HTMLDivElement>(null)
  useInSight(row, value)
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onValueChange(next)} className={styles.root}>
      <Base.List ref={row} aria-label={label} className={cx(styles.list, flush && styles.flush)}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
            {tab.count === undefined ? null : <span className={styles.count}>{formatCount(tab.count)}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className={styles.panel} tabIndex={-1}>
        {children}
      </Base.Panel>
    </Base.Root>
  )
}

import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode, Ref } from 'react'
import { cx } from '../lib/cx.ts'
import { formatCount } from '../lib/format.ts'
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

export interface PlainTabsProps<Value extends string> extends TabsProps<Value> {
  readonly ref?: Ref<HTMLDivElement>
  /** Behind the tabs, for those that have no room. */
  readonly rest?: ReactNode
}

/** Views of one thing, one at a time, underlined in the accent; the panel follows. Where they have no room, they scroll. */
export function PlainTabs<Value extends string>({
  ref,
  value,
  onValueChange,
  tabs,
  flush = false,
  rest,
  children,
  'aria-label': label,
}: PlainTabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onValueChange(next)} className={styles.root}>
      <div ref={ref} className={cx(styles.row, flush && styles.flush)}>
        <Base.List aria-label={label} className={styles.list}>
          {tabs.map((tab) => (
            <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
              {tab.label}
              {tab.count === undefined ? null : <span className={styles.count}>{formatCount(tab.count)}</span>}
            </Base.Tab>
          ))}
        </Base.List>
        {rest}
      </div>
      <Base.Panel value={value} className={styles.panel} tabIndex={-1}>
        {children}
      </Base.Panel>
    </Base.Root>
  )
}

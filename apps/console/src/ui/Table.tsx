import {
  useLayoutEffect,
  useRef,
  useState,
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  type TdHTMLAttributes,
  type ThHTMLAttributes,
} from 'react'
import { cx } from '../lib/cx.ts'
import { ChevronDownIcon, ChevronUpIcon } from './icons.tsx'
import styles from './Table.module.css'

export interface TableProps {
  /** Names the table for assistive technology. */
  readonly caption: string
  readonly showCaption?: boolean
  /** Below this width the table scrolls sideways inside its box instead of breaking the page. */
  readonly minWidth?: number
  /**
   * In a box narrower than this, in pixels, each row becomes a block of its own, in place of scrolling; give cells an
   * `order` there where needed, under `[data-stacked]`.
   */
  readonly stacksBelow?: number
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A real `<table>` with rows of 32 px and a head that stays. Fill it with `Thead`, `Tbody`, `Tr`, `Th`, `Td`. */
export function Table({ caption, showCaption = false, minWidth, stacksBelow = 0, className, children }: TableProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isStacked, setStacked] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null || stacksBelow === 0) return
    const measure = (): void => setStacked(element.clientWidth < stacksBelow)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [stacksBelow])
  return (
    // A scrolling box must be reachable by keyboard; its name is that of the table.
    <div
      ref={box}
      className={cx(styles.scroll, className)}
      data-stacked={isStacked ? '' : undefined}
      role="region"
      aria-label={caption}
      tabIndex={minWidth === undefined || isStacked ? undefined : 0}
    >
      <table className={styles.table} style={minWidth === undefined || isStacked ? undefined : { minWidth }}>
        <caption className={showCaption ? styles.caption : styles.hidden}>{caption}</caption>
        {children}
      </table>
    </div>
  )
}

export function Thead({ children }: { readonly children: ReactNode }) {
  return (
    <thead className={styles.head}>
      <tr>{children}</tr>
    </thead>
  )
}

export function Tbody({
  ref,
  children,
}: {
  readonly ref?: Ref<HTMLTableSectionElement>
  readonly children: ReactNode
}) {
  return <tbody ref={ref}>{children}</tbody>
}

export function Tr({
  selected = false,
  className,
  ...rest
}: HTMLAttributes<HTMLTableRowElement> & { readonly selected?: boolean }) {
  return <tr {...rest} className={cx(styles.row, selected && styles.selected, className)} />
}

export interface ThProps extends ThHTMLAttributes<HTMLTableCellElement> {
  readonly numeric?: boolean
  /** Makes the head a button that sorts. */
  readonly sort?: { readonly direction: 'ascending' | 'descending' | 'none'; readonly onSort: () => void }
}

/** A head cell. `numeric` aligns it with its right-aligned numbers. */
export function Th({ numeric = false, sort, className, children, ...rest }: ThProps) {
  return (
    <th
      scope="col"
      {...rest}
      aria-sort={sort === undefined ? undefined : sort.direction}
      className={cx(styles.th, numeric && styles.numeric, className)}
    >
      {sort === undefined ? (
        children
      ) : (
        <button type="button" className={styles.sort} onClick={sort.onSort}>
          {children}
          {sort.direction === 'ascending' ? <ChevronUpIcon size={12} /> : null}
          {sort.direction === 'descending' ? <ChevronDownIcon size={12} /> : null}
        </button>
      )}
    </th>
  )
}

export interface TdProps extends TdHTMLAttributes<HTMLTableCellElement> {
  readonly numeric?: boolean
  readonly mono?: boolean
  /** Second in importance. */
  readonly quiet?: boolean
}

/** A cell. `numeric`: right-aligned and tabular. */
export function Td({ numeric = false, mono = false, quiet = false, className, ...rest }: TdProps) {
  return (
    <td
      {...rest}
      className={cx(styles.td, numeric && styles.numeric, mono && styles.mono, quiet && styles.quiet, className)}
    />
  )
}

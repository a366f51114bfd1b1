import { type LinkOptions, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '../../../lib/cx.ts'
import { directionOf, type Sort, sortedBy } from '../../../lib/sort.ts'
import { Link, Table, Tbody, Td, Th, Thead, Tr, useRowKeys, VisibleText } from '../../../ui/index.ts'
import type { Change } from '../model/change.ts'
import styles from './MeasuredTable.module.css'

/** What a row is called; it leads to a page of its own. */
interface Name {
  readonly text: string
  /** Where it belongs. */
  readonly place: string
  readonly mark?: ReactNode
}

/** A column beside the names. */
export type Measure<Row, Column extends string> = Drawn<Row> &
  ({ readonly key: Column; readonly sorts: true } | { readonly key: string; readonly sorts?: undefined })

interface Drawn<Row> {
  readonly label: ReactNode
  /** What the label leaves out. */
  readonly title?: string | undefined
  /** It is drawn, not written. */
  readonly isDrawn?: boolean
  /** It goes first where there is little room. */
  readonly isMinor?: boolean | undefined
  readonly isQuiet?: boolean
  readonly className?: string | undefined
  readonly cell: (row: Row) => ReactNode
  readonly isBad?: (row: Row) => boolean
  /** On a phone it is left out. */
  readonly isNone?: (row: Row) => boolean
  readonly explained?: (row: Row) => string | undefined
}

interface MeasuredTableProps<Row, Column extends string> {
  readonly caption: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly keys: Omit<ReturnType<typeof usePageKeys>, 'current'>
  readonly pageOf: (row: Row) => LinkOptions
  /** The column of names. */
  readonly name: { readonly key: Column; readonly label: string; readonly of: (row: Row) => Name }
  readonly measures: readonly Measure<Row, Column>[]
  readonly sort: Sort<Column>
  readonly onSort: (sort: Sort<Column>) => void
  readonly smallestFirst: readonly Column[]
  readonly isOutdated: boolean
  /** Names are code. */
  readonly isCode?: boolean
  /** For many columns. */
  readonly isDense?: boolean
  /** On a phone: where a name belongs stands under it. */
  readonly placesBelow?: boolean
  readonly className?: string | undefined
}

const STACKS_BELOW = 760

/** The keys of a `MeasuredTable`: j, k, and those that open the page of a row. */
export function usePageKeys<Row>({
  rows,
  pageOf,
  ...words
}: {
  readonly group: string
  readonly thing: string
  readonly rows: readonly Row[]
  readonly pageOf: (row: Row) => LinkOptions
}) {
  const navigate = useNavigate()
  return useRowKeys({
    ...words,
    count: rows.length,
    open: (index) => {
      const row = rows[index]
      if (row !== undefined) void navigate(pageOf(row))
    },
  })
}

/** Things by name, each with its measures, and with a page of its own. */
export function MeasuredTable<Row, Column extends string>(props: MeasuredTableProps<Row, Column>) {
  const { caption, rows, keyOf, name, measures, isOutdated, isDense = false, className } = props
  const { body, rowProps } = props.keys
  return (
    <Table
      caption={caption}
      stacksBelow={STACKS_BELOW}
      minWidth={STACKS_BELOW}
      className={cx(styles.box, isDense && styles.dense, isOutdated && styles.outdated, className)}
    >
      <Thead>
        <Th className={cx(styles.cell, styles.first)} sort={sortOf(props, name.key)}>
          {name.label}
        </Th>
        {measures.map((measure) => (
          <Th
            key={measure.key}
            numeric={measure.isDrawn !== true}
            title={measure.title}
            className={cx(styles.cell, measure.isMinor && styles.minor, measure.className)}
            {...(measure.sorts === true && { sort: sortOf(props, measure.key) })}
          >
            {measure.label}
          </Th>
        ))}
      </Thead>
      <Tbody ref={body}>
        {rows.map((row, index) => (
          <Tr key={keyOf(row)} className={styles.row} {...rowProps(index)}>
            <NameCell {...props} row={row} />
            {measures.map((measure) => (
              <MeasureCell key={measure.key} measure={measure} row={row} />
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}

/** Makes the head of a column a button that sorts by it. */
function sortOf<Row, Column extends string>(
  { sort, onSort, smallestFirst }: Pick<MeasuredTableProps<Row, Column>, 'sort' | 'onSort' | 'smallestFirst'>,
  column: Column,
) {
  return { direction: directionOf(sort, column), onSort: () => onSort(sortedBy(sort, column, smallestFirst)) }
}

function NameCell<Row, Column extends string>({
  row,
  pageOf,
  name,
  isCode = false,
  placesBelow = false,
}: Pick<MeasuredTableProps<Row, Column>, 'pageOf' | 'name' | 'isCode' | 'placesBelow'> & { readonly row: Row }) {
  const { text, place, mark } = name.of(row)
  const Text = isCode ? 'code' : 'span'
  return (
    <Td className={styles.name}>
      <Link look="plain" className={cx(styles.link, placesBelow && styles.below)} {...pageOf(row)}>
        <Text className={styles.text} title={text}>
          <VisibleText text={text} />
        </Text>
        {mark}
        <span className={styles.place}>
          <VisibleText text={place} />
        </span>
      </Link>
    </Td>
  )
}

function MeasureCell<Row, Column extends string>({
  row,
  measure: { cell, isDrawn = false, isMinor = false, isQuiet = false, className, isBad, isNone, explained },
}: {
  readonly row: Row
  readonly measure: Measure<Row, Column>
}) {
  return (
    <Td
      numeric={!isDrawn}
      quiet={isQuiet}
      title={explained?.(row)}
      className={cx(
        styles.cell,
        isMinor && styles.minor,
        isBad?.(row) === true && styles.bad,
        isNone?.(row) === true && styles.none,
        className,
      )}
    >
      {cell(row)}
    </Td>
  )
}

/** On a phone, where there are no heads: what a number is. */
export function Unit({ children }: { readonly children: ReactNode }) {
  return <span className={styles.unit}>{children}</span>
}

/** A number and how it moved. */
export function Compared({
  text,
  change,
  isNew,
}: {
  readonly text: string
  readonly change: Change | null
  /** There was nothing to compare it with. */
  readonly isNew: boolean
}) {
  return (
    <>
      <strong className={styles.strong}>{text}</strong>{' '}
      <span className={styles.aside} data-verdict={change?.verdict}>
        {change?.text ?? (isNew ? 'new' : '')}
      </span>
    </>
  )
}

/** What is said of a number beside it. */
export function Aside({ children }: { readonly children: ReactNode }) {
  return <span className={styles.aside}>{children}</span>
}

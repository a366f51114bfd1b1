import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '../../../lib/cx.ts'
import { Link, Table, Tbody, Td, Th, Thead, Tr, useRowKeys, VisibleText } from '../../../ui/index.ts'
import { changeOf, formatShare } from '../../performance/model/index.ts'
import { type CallRow, isBad, type Row as Values, shareOf } from '../model/answers.ts'
import { type CallSearch, type CallsSearch, compactCall } from '../model/calls-url.ts'
import { type CallColumn, type CallKind, formatCell } from '../model/kinds.ts'
import { directionOf, NAME, sortedBy } from '../model/shown.ts'
import styles from './CallTable.module.css'

const STACKS_BELOW = 760

interface Props {
  readonly org: string
  readonly kind: CallKind
  readonly search: CallsSearch
  readonly rows: readonly CallRow[]
  /** The columns of all rows together; undefined while that is not known. */
  readonly all: Values | undefined
  readonly isOutdated: boolean
  readonly onChange: (change: Partial<CallsSearch>) => void
}

/** A row for all calls that did alike. */
export function CallTable({ org, kind, search, rows, all, isOutdated, onChange }: Props) {
  const navigate = useNavigate()
  const { body, rowProps } = useRowKeys({
    group: kind.label,
    thing: kind.thing.toLowerCase(),
    count: rows.length,
    open: (index) => {
      const row = rows[index]
      if (row === undefined) return
      void navigate({
        to: '/organizations/$org/performance/$kind/call',
        params: { org, kind: kind.name },
        search: compactCall(searchOf(row, search)),
      })
    },
  })
  const head = (key: string, label: ReactNode, { title, minor }: Partial<CallColumn> = {}) => (
    <Th
      key={key}
      numeric={key !== NAME}
      title={title}
      className={cx(styles.tight, minor && styles.minor)}
      sort={{
        direction: directionOf(search.sort, key),
        onSort: () => onChange({ sort: sortedBy(search.sort, key) }),
      }}
    >
      {label}
    </Th>
  )
  return (
    <Table
      caption={kind.label}
      stacksBelow={STACKS_BELOW}
      minWidth={STACKS_BELOW}
      className={cx(styles.box, isOutdated && styles.outdated)}
    >
      <Thead>
        {head(NAME, kind.thing)}
        {kind.columns.map((column) => head(column.key, column.label, column))}
      </Thead>
      <Tbody ref={body}>
        {rows.map((row, index) => (
          <Row
            key={`${row.projectId} ${row.group}`}
            org={org}
            kind={kind}
            search={search}
            row={row}
            all={all}
            {...rowProps(index)}
          />
        ))}
      </Tbody>
    </Table>
  )
}

function searchOf({ group, projectId }: CallRow, search: CallsSearch): CallSearch {
  const { query: _, sort: __, ...scope } = search
  return { ...scope, project: projectId === '' ? scope.project : [projectId], group }
}

function Row({
  org,
  kind,
  search,
  row,
  all,
  selected,
  onPointerDown,
}: Pick<Props, 'org' | 'kind' | 'search' | 'all'> & {
  readonly row: CallRow
  readonly selected: boolean
  readonly onPointerDown: () => void
}) {
  return (
    <Tr className={styles.row} selected={selected} onPointerDown={onPointerDown}>
      <Td className={styles.name}>
        <Link
          look="plain"
          className={styles.link}
          to="/organizations/$org/performance/$kind/call"
          params={{ org, kind: kind.name }}
          search={compactCall(searchOf(row, search))}
        >
          <code className={styles.text} title={row.text}>
            <VisibleText text={row.text} />
          </code>
          <span className={styles.place}>
            <VisibleText text={[row.detail, row.project].filter((word) => word !== '').join(' · ')} />
          </span>
        </Link>
      </Td>
      {kind.columns.map((column) => (
        <Td
          key={column.key}
          numeric
          className={cx(
            styles.tight,
            styles.value,
            column.minor && styles.minor,
            isBad(column, row.values[column.field]) && styles.bad,
          )}
        >
          <span className={styles.unit}>{column.label} </span>
          <Value kind={kind} column={column} row={row} all={all} />
        </Td>
      ))}
    </Tr>
  )
}

function Value({
  kind,
  column,
  row: { values, before, counted },
  all,
}: Pick<Props, 'kind' | 'all'> & { readonly column: CallColumn; readonly row: CallRow }) {
  const value = values[column.field]
  const text = formatCell(column.form, value)
  if (column.key === kind.compared) {
    const change = typeof value === 'number' ? changeOf(value, before, counted) : null
    return (
      <>
        <strong className={styles.strong}>{text}</strong>{' '}
        <span className={styles.change} data-verdict={change?.verdict}>
          {change?.text ?? (before === undefined && typeof value === 'number' ? 'new' : '')}
        </span>
      </>
    )
  }
  if (column.key !== 'total') return text
  const share = shareOf(column, values, all)
  return (
    <>
      {text} <span className={styles.share}>{share === null ? '' : formatShare(share)}</span>
    </>
  )
}

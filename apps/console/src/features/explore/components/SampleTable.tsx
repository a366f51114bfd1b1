import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { cx } from '../../../lib/cx.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { directionOf, sortedBy } from '../../../lib/sort.ts'
import { Link, RelativeTime, Table, Tbody, Td, Th, Thead, Tr, useShortcut, VisibleText } from '../../../ui/index.ts'
import { shownValue } from '../model/shown-value.ts'
import { formatValue, isNumber, type Kind } from '../model/values.ts'
import type { Row, TableProps } from './GroupTable.tsx'
import styles from './Tables.module.css'

const STACKS_BELOW = 960

interface Props extends TableProps {
  readonly things: string
}

/**
 * Single rows, each of which leads to its trace: by a click, or by `t` where the keyboard is. An error leads to its event,
 * likewise or by Enter.
 */
export function SampleTable({ org, rows, columns, kindOf, sort, isOutdated, things, onSort }: Props) {
  const navigate = useNavigate()
  const projects = useProjectNames(org)
  const [at, setAt] = useState(0)
  const current = rows[Math.min(at, rows.length - 1)]
  const move = (step: number) => setAt(Math.max(0, Math.min(rows.length - 1, at + step)))
  useShortcut('j', () => move(1), { label: 'Next sample', group: 'Explore' })
  useShortcut('k', () => move(-1), { label: 'Previous sample', group: 'Explore' })
  useShortcut(
    't',
    () => {
      const place = current === undefined ? null : placeOf(current)
      if (place === null) return
      void navigate({
        to: '/organizations/$org/traces/$trace',
        params: { org, trace: place.trace },
        search: place.search,
      })
    },
    { label: 'Its trace', group: 'Explore' },
  )
  useShortcut(
    'o',
    () => {
      const event = current === undefined ? null : eventOf(current)
      if (event === null) return
      void navigate({
        to: '/organizations/$org/issues/$issue',
        params: { org, issue: event.issue },
        search: { event: event.id },
      })
    },
    { label: 'Its event', group: 'Explore', enabled: current !== undefined && eventOf(current) !== null },
  )
  return (
    <Table
      caption={`Single ${things}`}
      stacksBelow={STACKS_BELOW}
      minWidth={STACKS_BELOW}
      className={cx(isOutdated && styles.outdated)}
    >
      <Thead>
        {columns.map((column) => (
          <Th
            key={column}
            numeric={isNumber(kindOf(column))}
            sort={{ direction: directionOf(sort, column), onSort: () => onSort(sortedBy(sort, column)) }}
          >
            <code className={styles.code}>{column}</code>
          </Th>
        ))}
      </Thead>
      <Tbody>
        {rows.map((row, index) => (
          <Tr
            key={JSON.stringify([row['trace'], row['id']])}
            selected={row === current}
            className={styles.row}
            onPointerDown={() => setAt(index)}
          >
            {columns.map((column) => (
              <Td key={column} numeric={isNumber(kindOf(column))} className={styles.cell}>
                <Cell org={org} row={row} column={column} kind={kindOf(column)} projects={projects} />
              </Td>
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}

function Cell({
  org,
  row,
  column,
  kind,
  projects,
}: {
  readonly org: string
  readonly row: Row
  readonly column: string
  readonly kind: Kind
  readonly projects: ReadonlyMap<string, string>
}) {
  const value = row[column]
  const place = placeOf(row)
  const event = eventOf(row)
  if (column === 'issue' && event !== null) {
    return (
      <Link to="/organizations/$org/issues/$issue" params={{ org, issue: event.issue }} className={styles.when}>
        {event.issue}
      </Link>
    )
  }
  if (column === 'timestamp' && typeof value === 'string') {
    const moment = <RelativeTime time={value} form="ago" />
    if (event !== null) {
      return (
        <Link
          to="/organizations/$org/issues/$issue"
          params={{ org, issue: event.issue }}
          search={{ event: event.id }}
          className={styles.when}
        >
          {moment}
        </Link>
      )
    }
    return place === null ? (
      moment
    ) : (
      <Link
        to="/organizations/$org/traces/$trace"
        params={{ org, trace: place.trace }}
        search={place.search}
        className={styles.when}
      >
        {moment}
      </Link>
    )
  }
  if (isNumber(kind)) return formatValue(kind, value)
  const isText = kind.type === 'string' && typeof value === 'string' && value !== ''
  const text = isText ? shownValue(column, value, projects) : formatValue(kind, value)
  return <VisibleText text={text === '' ? '–' : text} />
}

/** The event that an error is, and its issue; null for what is no error. */
function eventOf({ id, issue }: Row): { readonly id: string; readonly issue: string } | null {
  return typeof id === 'string' && typeof issue === 'string' && issue !== '' ? { id, issue } : null
}

/** Its trace, and it in it; null for what was in none. */
function placeOf(row: Row): { readonly trace: string; readonly search: { readonly span?: string } } | null {
  const { trace, id, span_id: span = id } = row
  if (typeof trace !== 'string' || !/^[0-9a-f]{32}$/.test(trace) || /^0+$/.test(trace)) return null
  return { trace, search: typeof span === 'string' && /^[0-9a-f]{16}$/.test(span) ? { span } : {} }
}

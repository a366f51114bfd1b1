import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatExact } from '../../../lib/format.ts'
import { Input } from '../../../ui/Input.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SegmentedControl } from '../../../ui/SegmentedControl.tsx'
import { SearchIcon } from '../../../ui/icons.tsx'
import {
  type CrumbFilter,
  type CrumbRow,
  crumbRows,
  filterCrumbs,
  formatOffset,
  usefulFilters,
} from '../model/breadcrumbs.ts'
import type { EventView } from '../model/event-view.ts'
import { KeyValues } from './KeyValues.tsx'
import { VisibleText } from '../../issues/text/index.ts'
import styles from './BreadcrumbsPanel.module.css'

/** Above this many the list gets its own scroll box and draws only what is seen. */
const VIRTUAL_FROM = 40
/** A search field for a handful of lines would be noise. */
const SEARCH_FROM = 8
const ROW_HEIGHT = 31

const LABELS: Readonly<Record<CrumbFilter, string>> = {
  all: 'All',
  clicks: 'Clicks',
  requests: 'Requests',
  console: 'Console',
  navigation: 'Pages',
  other: 'Other',
}

export function BreadcrumbsPanel({ event }: { readonly event: EventView }) {
  const [filter, setFilter] = useState<CrumbFilter>('all')
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  if (event.breadcrumbs.length === 0) return null
  const all = crumbRows(event.breadcrumbs, event.timestamp)
  const filters = usefulFilters(all)
  const rows = filterCrumbs(all, filters.includes(filter) ? filter : 'all', search)
  const toggle = (key: string) => {
    const next = new Set(open)
    if (!next.delete(key)) next.add(key)
    setOpen(next)
  }
  return (
    <Panel
      title="What happened before"
      content="rows"
      actions={
        <>
          {all.length < SEARCH_FROM ? null : (
            <Input
              aria-label="Search what happened before"
              placeholder="Search"
              icon={SearchIcon}
              value={search}
              onValueChange={setSearch}
              className={styles.search ?? ''}
            />
          )}
          {filters.length === 0 ? null : (
            <SegmentedControl
              aria-label="Kind"
              value={filter}
              onValueChange={setFilter}
              options={filters.map((value) => ({ value, label: LABELS[value] }))}
            />
          )}
        </>
      }
    >
      {rows.length === 0 ? <p className={styles.none}>Nothing of that kind happened before the event.</p> : null}
      {rows.length > VIRTUAL_FROM ? (
        <LongList rows={rows} open={open} onToggle={toggle} />
      ) : (
        <ol>
          {rows.map((row) => (
            <li key={row.key} className={styles.item}>
              <Crumb row={row} open={open.has(row.key)} onToggle={() => toggle(row.key)} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

interface ListProps {
  readonly rows: readonly CrumbRow[]
  readonly open: ReadonlySet<string>
  readonly onToggle: (key: string) => void
}

/** Opens at its end: what happened last matters most. */
function LongList({ rows, open, onToggle }: ListProps) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
    initialOffset: rows.length * ROW_HEIGHT,
    overscan: 8,
  })
  return (
    <div ref={box} className={styles.box} tabIndex={0} role="region" aria-label="What happened before">
      <ol className={styles.space} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]
          return row === undefined ? null : (
            <li
              key={row.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className={cx(styles.item, styles.placed)}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Crumb row={row} open={open.has(row.key)} onToggle={() => onToggle(row.key)} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function Crumb({
  row,
  open,
  onToggle,
}: {
  readonly row: CrumbRow
  readonly open: boolean
  readonly onToggle: () => void
}) {
  const words = (
    <>
      <span className={cx(styles.dot, styles[row.level])} aria-hidden="true" />
      <span className={styles.label}>
        <VisibleText text={row.label} />
      </span>
      <span className={styles.text}>
        {row.parts.map((part, index) => (
          <span key={index} className={styles[part.style]}>
            {index === 0 || row.kind === 'navigation' ? '' : ' '}
            <VisibleText text={part.text} />
          </span>
        ))}
      </span>
      <span className={styles.time} title={row.timestamp === null ? undefined : formatExact(row.timestamp)}>
        {formatOffset(row.offsetSeconds)}
      </span>
    </>
  )
  if (row.data.length === 0) return <div className={styles.row}>{words}</div>
  return (
    <>
      <button type="button" className={cx(styles.row, styles.toggle)} aria-expanded={open} onClick={onToggle}>
        {words}
      </button>
      {open ? (
        <div className={styles.data}>
          <KeyValues values={row.data} />
        </div>
      ) : null}
    </>
  )
}

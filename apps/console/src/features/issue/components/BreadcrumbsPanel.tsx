import { useState } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatExact } from '../../../lib/format.ts'
import { Input } from '../../../ui/Input.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SegmentedControl } from '../../../ui/SegmentedControl.tsx'
import { SearchIcon } from '../../../ui/icons.tsx'
import { VisibleText } from '../../../ui/VisibleText.tsx'
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
import styles from './BreadcrumbsPanel.module.css'

/** What happened last matters most: so many lines at first, the earlier ones on demand. */
const FIRST_SHOWN = 30
/** A search field for a handful of lines would be noise. */
const SEARCH_FROM = 8

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
  const [showsAll, setAll] = useState(false)
  if (event.breadcrumbs.length === 0) return null
  const all = crumbRows(event.breadcrumbs, event.timestamp)
  const filters = usefulFilters(all)
  const rows = filterCrumbs(all, filters.includes(filter) ? filter : 'all', search)
  const shown = showsAll ? rows : rows.slice(-FIRST_SHOWN)
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
      {rows.length === 0 ? <p className={styles.none}>Nothing of this kind happened before the event.</p> : null}
      {shown.length === rows.length ? null : (
        <button type="button" className={styles.earlier} onClick={() => setAll(true)}>
          Show {rows.length - shown.length} earlier
        </button>
      )}
      <ol>
        {shown.map((row) => (
          <li key={row.key} className={styles.item}>
            <Crumb row={row} open={open.has(row.key)} onToggle={() => toggle(row.key)} />
          </li>
        ))}
      </ol>
    </Panel>
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
          <KeyValues values={row.data} meta={row.dataMeta} />
        </div>
      ) : null}
    </>
  )
}

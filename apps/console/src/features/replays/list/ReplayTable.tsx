import type { RefObject } from 'react'

import { cx } from '../../../lib/cx.ts'
import { directionOf, sortedBy } from '../../../lib/sort.ts'
import { Checkbox, ChevronDownIcon, ChevronUpIcon } from '../../../ui/index.ts'
import { loadedState } from '../../../lib/selection.ts'
import type { ReplayColumn } from '../model/list-search.ts'
import { clicksSoughtBy } from '../model/replay-search.ts'
import type { ListRows } from './list-rows.ts'
import { keyOf, type ListWork } from './list-work.ts'
import { ReplayRow } from './ReplayRow.tsx'
import styles from './ReplayTable.module.css'

const COLUMNS: readonly { readonly key: ReplayColumn; readonly label: string; readonly title: string }[] = [
  { key: 'activity', label: 'Activity', title: 'From 1 to 10, by errors and pages' },
  { key: 'count_errors', label: 'Errors', title: 'Errors that were reported meanwhile' },
  {
    key: 'count_rage_clicks',
    label: 'Rage',
    title: 'Elements that did not answer and were clicked five times or more',
  },
  { key: 'count_dead_clicks', label: 'Dead', title: 'Clicks to which the page did not answer within seven seconds' },
  { key: 'duration', label: 'Length', title: 'From the first moment to the last' },
  { key: 'started_at', label: 'Started', title: 'When the recording began' },
]

/** The table of replays: its head, which sticks below the search, and the rows that are in sight. */
export function ReplayTable({
  work,
  rows: { height, isDrawn, items, offsets },
  head,
  list,
}: {
  readonly work: ListWork
  readonly rows: ListRows
  readonly head: RefObject<HTMLDivElement | null>
  readonly list: RefObject<HTMLDivElement | null>
}) {
  const { current, mayDelete, org, query, remember, rows, search, select, selected } = work
  const clicks = clicksSoughtBy(search)
  return (
    <div
      role="table"
      aria-label="Replays"
      aria-rowcount={query.hasNextPage ? -1 : rows.length + 1}
      aria-busy={query.isPending || query.isPlaceholderData}
      className={cx(styles.table, rows.length === 0 && styles.empty)}
    >
      <div ref={head} role="rowgroup" className={styles.headGroup} style={{ top: offsets.top }}>
        <TableHead work={work} />
      </div>
      <div
        ref={list}
        role="rowgroup"
        className={cx(styles.rows, query.isPlaceholderData && styles.outdated)}
        style={{ height }}
      >
        {items.map((item) => {
          const replay = rows[item.index]
          if (replay === undefined) return null
          const key = keyOf(replay)
          return (
            <ReplayRow
              key={key}
              org={org}
              replay={replay}
              query={clicks}
              rowIndex={item.index + 2}
              isDrawn={isDrawn(item.index)}
              current={key === current}
              selected={selected.has(key)}
              style={{ transform: `translateY(${item.start - offsets.list}px)` }}
              onOpen={() => remember(key)}
              onSelect={mayDelete ? (withShift) => select(key, withShift) : null}
            />
          )
        })}
      </div>
    </div>
  )
}

function TableHead({ work }: { readonly work: ListWork }) {
  const { change, mayDelete, order, search, selection, toggleAll } = work
  const loaded = loadedState(selection, order)
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {mayDelete ? (
        <span role="columnheader" className={styles.check}>
          <Checkbox
            aria-label="Select all loaded replays"
            checked={loaded === 'all'}
            indeterminate={loaded === 'some'}
            disabled={order.length === 0}
            onCheckedChange={toggleAll}
          />
        </span>
      ) : null}
      <span role="columnheader" className={styles.picture}>
        Page
      </span>
      <span role="columnheader">Visitor</span>
      {COLUMNS.map(({ key, label, title }) => {
        const direction = directionOf(search.sort, key)
        return (
          <span key={key} role="columnheader" aria-sort={direction} title={title} className={styles.number}>
            <button type="button" className={styles.sort} onClick={() => change({ sort: sortedBy(search.sort, key) })}>
              {label}
              {direction === 'ascending' ? <ChevronUpIcon size={12} /> : null}
              {direction === 'descending' ? <ChevronDownIcon size={12} /> : null}
            </button>
          </span>
        )
      })}
    </div>
  )
}

import type { Feedback } from '@firsthand/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'

import { cx } from '../../../lib/cx.ts'
import { Spinner } from '../../../ui/index.ts'
import { type InboxSearch, compactInbox } from '../model/inbox-search.ts'
import { FeedbackRow } from './FeedbackRow.tsx'
import styles from './FeedbackList.module.css'

/** Of a row with two lines of text, until it is measured. */
const ROW_HEIGHT = 105
/** Rows before the end at which the next page is asked for. */
const LOAD_AHEAD = 10

export interface FeedbackListHandle {
  readonly scrollTo: (id: string) => void
}

/** The reports of a mailbox; only what is seen is drawn. */
export function FeedbackList({
  ref,
  org,
  rows,
  hits,
  search,
  current,
  selection,
  outdated,
  hasMore,
  loadsMore,
  onLoadMore,
  onOpen,
  onSelect,
}: {
  readonly ref: Ref<FeedbackListHandle>
  readonly org: string
  readonly rows: readonly Feedback[]
  readonly hits: number
  readonly search: InboxSearch
  readonly current: string | null
  readonly selection: ReadonlySet<string>
  readonly outdated: boolean
  readonly hasMore: boolean
  readonly loadsMore: boolean
  readonly onLoadMore: () => void
  readonly onOpen: (id: string) => void
  readonly onSelect: (id: string, withShift: boolean) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
  })
  useImperativeHandle(ref, () => ({
    scrollTo: (id) => {
      const index = rows.findIndex((row) => row.id === id)
      if (index !== -1) virtual.scrollToIndex(index)
    },
  }))
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (hasMore && !loadsMore && last >= rows.length - LOAD_AHEAD) onLoadMore()
  }, [hasMore, loadsMore, last, rows.length, onLoadMore])
  return (
    <div ref={box} className={styles.box}>
      <ul className={cx(styles.space, outdated && styles.outdated)} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          return row === undefined ? null : (
            <FeedbackRow
              key={row.id}
              org={org}
              row={row}
              open={row.id === search.report || row.eventId === search.report}
              current={row.id === current}
              selected={selection.has(row.id)}
              url={compactInbox({ ...search, report: row.id })}
              position={item.index + 1}
              size={hits}
              index={item.index}
              measure={virtual.measureElement}
              style={{ transform: `translateY(${item.start}px)` }}
              onOpen={() => onOpen(row.id)}
              onSelect={(withShift) => onSelect(row.id, withShift)}
            />
          )
        })}
      </ul>
      {loadsMore ? (
        <div className={styles.more}>
          <Spinner label="Loading more reports" />
        </div>
      ) : null}
    </div>
  )
}

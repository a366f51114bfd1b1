import { useEffect, useRef } from 'react'
import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { ShowMore } from '../../../ui/index.ts'
import type { InboxWork } from '../inbox-work.ts'
import { InboxRow } from './InboxRow.tsx'
import styles from './InboxList.module.css'

/** The lines: what waits for one before what is good to know. */
export function InboxList({ work }: { readonly work: InboxWork }) {
  const { counts, query, rows, search } = work
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (search.entry === '') return
    box.current?.querySelector(`[data-line="${CSS.escape(search.entry)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [search.entry])
  const isSplit = search.show === 'unread' || search.show === 'all'
  const parts = isSplit
    ? [
        { title: 'Waiting for you', rows: rows.filter(({ waits }) => waits), unread: counts?.waiting },
        {
          title: 'Good to know',
          rows: rows.filter(({ waits }) => !waits),
          unread: counts === undefined ? undefined : counts.unread - counts.waiting,
        },
      ]
    : [{ title: search.show === 'done' ? 'Done' : 'Snoozed', rows, unread: undefined }]
  return (
    <div ref={box} className={cx(styles.box, query.isPlaceholderData && styles.outdated)}>
      {parts.map((part) =>
        part.rows.length === 0 ? null : (
          <section key={part.title} aria-label={part.title}>
            <h2 className={styles.title}>
              {part.title} {search.query === '' ? <Unread count={part.unread} /> : null}
            </h2>
            <ul className={styles.rows}>
              {part.rows.map((row) => (
                <InboxRow key={row.id} row={row} work={work} />
              ))}
            </ul>
          </section>
        ),
      )}
      <ShowMore query={query} />
    </div>
  )
}

/** Both parts together are what the view and the side bar call unread; lines that were read since are still here. */
function Unread({ count = 0 }: { readonly count: number | undefined }) {
  return count === 0 ? null : <span className={styles.count}>{formatCount(count)} unread</span>
}

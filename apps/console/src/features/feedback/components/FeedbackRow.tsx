import type { Feedback } from '@firsthand/contract'
import type { CSSProperties } from 'react'

import { cx } from '../../../lib/cx.ts'
import { Checkbox, Link, RelativeTime, VisuallyHidden, VisibleText } from '../../../ui/index.ts'
import { pathOf, reporterOf } from '../model/report.ts'
import type { InboxUrl } from '../model/inbox-search.ts'
import styles from './FeedbackRow.module.css'

export interface FeedbackRowProps {
  readonly org: string
  readonly row: Feedback
  readonly open: boolean
  readonly current: boolean
  readonly selected: boolean
  /** The address under which this report stands beside the list. */
  readonly url: InboxUrl
  readonly position: number
  readonly size: number
  readonly style: CSSProperties
  /** Its place in the list, and what is told how high it is. */
  readonly index: number
  readonly measure: (row: HTMLElement | null) => void
  readonly onOpen: () => void
  readonly onSelect: (withShift: boolean) => void
}

/** One report: who, what, where, and what belongs to it. */
export function FeedbackRow({
  org,
  row,
  open,
  current,
  selected,
  url,
  position,
  size,
  style,
  index,
  measure,
  onOpen,
  onSelect,
}: FeedbackRowProps) {
  const reporter = reporterOf(row)
  return (
    <li
      ref={measure}
      data-index={index}
      aria-posinset={position}
      aria-setsize={size}
      data-report={row.id}
      className={cx(styles.row, open && styles.open, current && styles.current, selected && styles.selected)}
      style={style}
    >
      <span className={styles.check}>
        <Checkbox
          aria-label={`Select the report of ${reporter}`}
          checked={selected}
          onCheckedChange={(_, event) => onSelect('shiftKey' in event && event.shiftKey === true)}
        />
      </span>
      <Link
        look="plain"
        className={styles.link}
        to="/organizations/$org/feedback"
        params={{ org }}
        search={url}
        aria-current={open ? 'true' : undefined}
        onClick={onOpen}
      >
        <span className={styles.head}>
          {row.isRead ? null : (
            <span className={styles.unread}>
              <VisuallyHidden>Unread:</VisuallyHidden>
            </span>
          )}
          <span className={cx(styles.name, !row.isRead && styles.strong)}>
            <VisibleText text={reporter} />
          </span>
          {row.url === '' ? null : (
            <span className={styles.path}>
              <VisibleText text={pathOf(row.url)} />
            </span>
          )}
          <RelativeTime time={row.dateCreated} form="age" className={styles.time} />
        </span>
        <span className={styles.message}>
          <VisibleText text={row.message} />
        </span>
        <span className={styles.below}>
          {row.awaitsReply ? <span className={styles.waits}>waiting for a reply</span> : null}
          {row.attachmentCount > 0 ? (
            <span>{row.attachmentCount === 1 ? 'picture' : `${row.attachmentCount} files`}</span>
          ) : null}
          {row.issue === null ? null : <span className={styles.issue}>{row.issue.shortId}</span>}
          {row.mergedCount > 0 ? <span className={styles.alike}>{row.mergedCount + 1} alike</span> : null}
          {row.replyCount > 0 && !row.awaitsReply ? <span>answered</span> : null}
          {row.noteCount > 0 ? <span>{row.noteCount === 1 ? '1 note' : `${row.noteCount} notes`}</span> : null}
          {row.assignedTo === null ? null : <span>{row.assignedTo.name}</span>}
        </span>
      </Link>
    </li>
  )
}

import type { Issue } from '@firsthand/contract'
import type { Ref, RefObject } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { Avatar, Checkbox } from '../../../ui/index.ts'
import { rememberRow } from '../last-row.ts'
import { assigneeName } from '../model/rows.ts'
import { ALL_MATCHES, isSelected, loadedState, toggleLoaded } from '../../../lib/selection.ts'
import { matchesText, timeLabel } from '../model/stream-choices.ts'
import { compactUrl } from '../model/stream-search.ts'
import type { StreamChanges } from '../stream-changes.ts'
import type { StreamRows } from '../stream-rows.ts'
import type { StreamWork } from '../stream-work.ts'
import { IssueRow } from './IssueRow.tsx'
import styles from './IssueStreamScreen.module.css'

interface Part {
  readonly work: StreamWork
  readonly changes: StreamChanges
  readonly rows: StreamRows
}

/** The table of issues: its head, which sticks below the search, and the rows that are in sight. */
export function StreamTable({
  work,
  changes,
  rows,
  table,
  head,
}: Part & { readonly table: RefObject<HTMLDivElement | null>; readonly head: RefObject<HTMLDivElement | null> }) {
  const { stream } = work
  return (
    <div
      ref={table}
      role="table"
      aria-label="Issues"
      aria-rowcount={work.countsAll ? work.matches + 1 : -1}
      aria-busy={stream.state === 'loading' || stream.isOutdated}
      className={styles.table}
    >
      <TableHead ref={head} work={work} top={rows.offsets.top} />
      {stream.state === 'ready' && work.issues.length > 0 ? <Rows work={work} changes={changes} rows={rows} /> : null}
    </div>
  )
}

function TableHead({
  ref,
  work,
  top,
}: {
  readonly ref: Ref<HTMLDivElement>
  readonly work: StreamWork
  /** Height of what sticks above it. */
  readonly top: number
}) {
  const { countsAll, issues, matches, order, selection, setSelection } = work
  const loaded = loadedState(selection, order)
  const offersAll = selection.kind === 'some' && loaded === 'all' && matches > issues.length
  // Behind the dialog of a change that was made meanwhile nothing may match any more.
  const hasAll = selection.kind === 'all' && matches > 0
  return (
    <div
      ref={ref}
      role="rowgroup"
      className={cx(styles.headGroup, (offersAll || hasAll) && styles.telling)}
      style={{ top }}
    >
      <div role="row" aria-rowindex={1} className={styles.head}>
        <span role="columnheader" className={styles.check}>
          <Checkbox
            aria-label="Select all loaded issues"
            checked={loaded === 'all' && order.length > 0}
            indeterminate={loaded === 'some'}
            disabled={order.length === 0}
            onCheckedChange={() => setSelection(toggleLoaded(selection, order))}
          />
        </span>
        <span role="columnheader" className={styles.main}>
          {offersAll ? (
            <>
              {formatCount(selection.ids.size)} selected.{' '}
              <button
                type="button"
                className={styles.everything}
                disabled={!countsAll}
                onClick={() => setSelection(ALL_MATCHES)}
              >
                Select all {countsAll ? formatCount(matches) : matchesText(matches)} that match
              </button>
            </>
          ) : hasAll ? (
            `All ${formatCount(matches)} that match, including those not loaded yet`
          ) : (
            'Issue'
          )}
        </span>
        <span role="columnheader" className={styles.wide}>
          {timeLabel(work.search)}
        </span>
        {['Events', 'Users', 'Last seen', 'Age'].map((name) => (
          <span key={name} role="columnheader" className={styles.number}>
            {name}
          </span>
        ))}
        <span role="columnheader" className={styles.number}>
          <span className={styles.hidden}>Assignee</span>
        </span>
      </div>
    </div>
  )
}

function Rows({ work, changes, rows: { height, items, offsets } }: Part) {
  const { current, issues, org, search, selection, stream } = work
  const url = compactUrl(search)
  return (
    <div
      role="rowgroup"
      className={cx(styles.rows, stream.isOutdated && styles.outdated)}
      style={{ height }}
      onPointerEnter={(event) => work.setPointerInside(event.pointerType === 'mouse')}
      onPointerLeave={() => work.setPointerInside(false)}
    >
      {items.map((item) => {
        const issue = issues[item.index]
        return issue === undefined ? null : (
          <IssueRow
            key={issue.id}
            issue={issue}
            rowIndex={item.index + 2}
            selected={isSelected(selection, issue.id)}
            current={issue.id === current}
            highlighted={stream.highlighted.has(issue.id)}
            periodLabel={search.start === undefined ? timeLabel(search).toLowerCase() : timeLabel(search)}
            style={{ transform: `translateY(${item.start - offsets.list}px)` }}
            onSelect={(withShift) => work.select(issue.id, withShift)}
            org={org}
            stream={url}
            onOpen={() => rememberRow(issue.id)}
            assignee={<AssigneeButton issue={issue} changes={changes} />}
          />
        )
      })}
    </div>
  )
}

function AssigneeButton({ issue, changes }: { readonly issue: Issue; readonly changes: StreamChanges }) {
  const name = assigneeName(issue.assignedTo)
  return (
    <button
      type="button"
      data-assign=""
      className={styles.assign}
      title={name ?? 'Assign'}
      disabled={!changes.mayWrite}
      onClick={(event) => changes.askAssignee(event.currentTarget, [issue.id])}
    >
      <Avatar name={name} />
      <span className={styles.hidden}>
        {issue.assignedTo === null ? `Assign ${issue.shortId}` : `Assigned to ${name}: change`}
      </span>
    </button>
  )
}

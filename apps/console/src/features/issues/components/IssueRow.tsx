import type { Issue } from '@firsthand/contract'
import type { CSSProperties, ReactNode } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import {
  Badge,
  Checkbox,
  LevelDot,
  Link,
  Num,
  RelativeTime,
  Sparkline,
  StarIcon,
  VisuallyHidden,
  VisibleText,
} from '../../../ui/index.ts'
import { badgeOf, countsOf, harmWords, titleParts, toldUsWords } from '../model/rows.ts'
import type { StreamUrl } from '../model/stream-search.ts'
import styles from './IssueRow.module.css'

export interface IssueRowProps {
  readonly issue: Issue
  /** 2 for the first row: the head is 1. */
  readonly rowIndex: number
  readonly selected: boolean
  readonly current: boolean
  readonly highlighted: boolean
  readonly periodLabel: string
  readonly org: string
  /** The search the issue is opened from. */
  readonly stream: StreamUrl
  readonly onOpen: () => void
  /** Opens the choice of an assignee. */
  readonly assignee: ReactNode
  readonly onSelect: (withShift: boolean) => void
  readonly style: CSSProperties
}

/** One issue of the stream: what broke, how often, for how many, since when, and who looks after it. */
export function IssueRow({
  issue,
  rowIndex,
  selected,
  current,
  highlighted,
  periodLabel,
  org,
  stream,
  onOpen,
  assignee,
  onSelect,
  style,
}: IssueRowProps) {
  const events = Number(issue.count)
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      aria-selected={selected}
      data-issue={issue.id}
      className={cx(
        styles.row,
        selected && styles.selected,
        current && styles.current,
        highlighted && styles.highlighted,
        issue.hasSeen && styles.known,
      )}
      style={style}
    >
      <div role="cell" className={styles.check}>
        <Checkbox
          aria-label={`Select ${issue.shortId}`}
          checked={selected}
          onCheckedChange={(_, event) => onSelect('shiftKey' in event && event.shiftKey === true)}
        />
      </div>
      <div role="cell" className={styles.main}>
        <Title issue={issue} org={org} stream={stream} onOpen={onOpen} />
        <Below issue={issue} />
      </div>
      <div role="cell" className={styles.chart}>
        <Sparkline values={countsOf(issue.stats)} label={`${formatCount(events)} events, ${periodLabel}`} />
      </div>
      <div role="cell" className={styles.events}>
        <Num value={events} />
        <span className={styles.unit}> {events === 1 ? 'event' : 'events'}</span>
      </div>
      <div role="cell" className={styles.users} title={harmWords(issue)}>
        <Num value={issue.userCount === 0 ? null : issue.userCount} />
        <span className={styles.unit}> {issue.userCount === 1 ? 'user' : 'users'}</span>
      </div>
      <div role="cell" className={styles.seen}>
        <RelativeTime time={issue.lastSeen} form="age" />
      </div>
      <div role="cell" className={styles.age}>
        <RelativeTime time={issue.lifetime?.firstSeen ?? issue.firstSeen} form="age" />
      </div>
      <div role="cell" className={styles.assignee}>
        {assignee}
      </div>
    </div>
  )
}

function Title({ issue, org, stream, onOpen }: Pick<IssueRowProps, 'issue' | 'org' | 'stream' | 'onOpen'>) {
  const { lead, rest } = titleParts(issue)
  return (
    <div className={styles.title}>
      <LevelDot level={issue.level} />
      {issue.hasSeen ? null : <VisuallyHidden>Not viewed yet</VisuallyHidden>}
      <Link
        look="plain"
        className={styles.link}
        to="/organizations/$org/issues/$issue"
        params={{ org, issue: issue.id }}
        search={stream}
        onClick={onOpen}
      >
        <span className={styles.lead}>
          <VisibleText text={lead} />
        </span>
        {rest === '' ? null : (
          <span className={styles.rest}>
            <VisibleText text={rest} />
          </span>
        )}
      </Link>
    </div>
  )
}

/** The quiet line below the title. */
function Below({ issue }: Pick<IssueRowProps, 'issue'>) {
  const badge = badgeOf(issue)
  return (
    <div className={styles.below}>
      {issue.isBookmarked ? (
        <span className={styles.star} title="Bookmarked">
          <StarIcon size={12} />
          <VisuallyHidden>Bookmarked</VisuallyHidden>
        </span>
      ) : null}
      <span className={styles.id}>{issue.shortId}</span>
      {issue.culprit === '' ? null : (
        <span className={styles.culprit}>
          <VisibleText text={issue.culprit} />
        </span>
      )}
      {badge === null ? null : <Badge tone={badge.tone}>{badge.label}</Badge>}
      {issue.reporterCount === 0 ? null : (
        <span title={harmWords(issue)}>
          <Badge tone="accent">{toldUsWords(issue.reporterCount)}</Badge>
        </span>
      )}
      {issue.numComments > 0 ? (
        <span className={styles.notes}>
          {issue.numComments} {issue.numComments === 1 ? 'note' : 'notes'}
        </span>
      ) : null}
    </div>
  )
}

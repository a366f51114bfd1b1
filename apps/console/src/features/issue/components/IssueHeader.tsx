import type { IssueDetail } from '@firsthand/contract'
import type { ReactNode } from 'react'

import { shortVersion } from '../../../lib/short-version.ts'
import { PHONE, useMedia } from '../../../lib/use-media.ts'
import {
  Avatar,
  Badge,
  BellIcon,
  Button,
  ChevronDownIcon,
  ChevronUpIcon,
  IconButton,
  Kbd,
  LevelDot,
  Link,
  Menu,
  MenuItem,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MoreIcon,
  StarIcon,
  TrashIcon,
  type Tone,
  VisibleText,
} from '../../../ui/index.ts'
import { ArchiveItems, AssigneePicker, REOPEN, RESOLVE, ResolveItems, type StatusChoice } from '../../issues/index.ts'
import { type StreamUrl, assigneeName, badgeOf, titleParts, toldUsWords } from '../../issues/model/index.ts'
import type { StreamPlace } from '../model/page-search.ts'
import styles from './IssueHeader.module.css'

export interface IssueHeaderProps {
  readonly org: string
  readonly issue: IssueDetail
  /** The stream it was opened from. */
  readonly stream: StreamUrl
  readonly place: StreamPlace
  readonly regressedIn: string
  readonly mayWrite: boolean
  readonly mayDelete: boolean
  readonly busy: boolean
  readonly assigning: boolean
  readonly onAssigning: (open: boolean) => void
  readonly onStatus: (choice: StatusChoice) => void
  readonly onAssign: (assignedTo: string, name: string | null) => void
  /** Null: as its points say. */
  readonly onPriority: (priority: IssueDetail['priority'] | null) => void
  readonly onCopy: () => void
  readonly onShare: () => void
  readonly onBookmark: () => void
  readonly onSubscribe: () => void
  readonly onMerge: () => void
  readonly onDelete: () => void
  readonly onMove: (issue: string | null) => void
}

const PRIORITIES = [
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
] as const

/** What broke, in which state it is, and what can be done about it. */
export function IssueHeader(props: IssueHeaderProps) {
  const { org, issue, stream, place, mayWrite } = props
  const { lead, rest } = titleParts(issue)
  // Of a crash of which only the place is known, both say it.
  const culprit = issue.culprit === rest ? '' : issue.culprit
  const badge = badgeOf(issue)
  const isPhone = useMedia(PHONE)
  return (
    <header className={styles.header}>
      <div className={styles.path}>
        <nav aria-label="Breadcrumb" className={styles.crumbs}>
          <Link look="quiet" to="/organizations/$org/issues" params={{ org }} search={stream}>
            Issues
          </Link>
          <span aria-hidden="true">/</span>
          <span aria-current="page">{issue.shortId}</span>
        </nav>
        <Place place={place} onMove={props.onMove} />
      </div>
      <div className={styles.title}>
        <LevelDot level={issue.level} size={9} />
        <h1 className={styles.lead}>
          <VisibleText text={lead} />
        </h1>
        {badge === null ? null : (
          <Badge tone={badge.tone satisfies Tone}>
            {issue.substatus === 'regressed' && props.regressedIn !== ''
              ? `Regressed in ${shortVersion(props.regressedIn)}`
              : badge.label}
          </Badge>
        )}
        {issue.isUnhandled ? <Badge>Unhandled</Badge> : null}
        {issue.reporterCount === 0 ? null : (
          <Link
            look="plain"
            to="/organizations/$org/issues/$issue"
            params={{ org, issue: issue.id }}
            search={{ ...stream, tab: 'people' }}
          >
            <Badge tone="accent">{toldUsWords(issue.reporterCount)}</Badge>
          </Link>
        )}
      </div>
      {rest === '' && culprit === '' ? null : (
        <p className={styles.subtitle}>
          <VisibleText text={rest} />
          {rest !== '' && culprit !== '' ? ' · ' : ''}
          <span className={styles.culprit}>
            <VisibleText text={culprit} />
          </span>
        </p>
      )}
      <div className={styles.actions}>
        {mayWrite ? <Changes {...props} /> : null}
        {isPhone ? null : <Marks {...props} />}
        {mayWrite || isPhone ? (
          <Menu align={isPhone ? 'end' : 'start'} trigger={<IconButton icon={MoreIcon} label="More" />}>
            {isPhone ? <MarkItems {...props} /> : null}
            {mayWrite ? (
              <MenuItem kbd="m" onSelect={props.onMerge}>
                Merge with other issues …
              </MenuItem>
            ) : null}
            {props.mayDelete ? (
              <MenuItem icon={TrashIcon} danger onSelect={props.onDelete}>
                Delete the issue …
              </MenuItem>
            ) : null}
          </Menu>
        ) : null}
        {isPhone ? null : <Priority {...props} />}
      </div>
    </header>
  )
}

const bookmarkLabel = (issue: IssueDetail): string => (issue.isBookmarked ? 'Remove the bookmark' : 'Bookmark')
const subscribeLabel = (issue: IssueDetail): string => (issue.isSubscribed ? 'Unsubscribe' : 'Subscribe')

/** What one does with the issue for oneself, beside the buttons that change it. */
function Marks({ issue, mayWrite, onCopy, onShare, onBookmark, onSubscribe }: IssueHeaderProps) {
  return (
    <>
      <Button variant="ghost" onClick={onCopy}>
        Copy for agent
      </Button>
      <Button variant="ghost" onClick={onShare}>
        Share
      </Button>
      {mayWrite ? (
        <>
          <IconButton
            icon={BellIcon}
            label={subscribeLabel(issue)}
            kbd="s"
            aria-pressed={issue.isSubscribed}
            className={issue.isSubscribed ? styles.marked : undefined}
            onClick={onSubscribe}
          />
          <IconButton
            icon={StarIcon}
            label={bookmarkLabel(issue)}
            kbd="b"
            aria-pressed={issue.isBookmarked}
            className={issue.isBookmarked ? styles.marked : undefined}
            onClick={onBookmark}
          />
        </>
      ) : null}
    </>
  )
}

/** The same in the menu of a phone, whose bar has no room for it. */
function MarkItems({ issue, mayWrite, onCopy, onShare, onBookmark, onSubscribe, onPriority }: IssueHeaderProps) {
  return (
    <>
      <MenuItem onSelect={onCopy}>Copy for agent</MenuItem>
      <MenuItem onSelect={onShare}>Share</MenuItem>
      {mayWrite ? (
        <>
          <MenuItem icon={BellIcon} onSelect={onSubscribe}>
            {subscribeLabel(issue)}
          </MenuItem>
          <MenuItem icon={StarIcon} onSelect={onBookmark}>
            {bookmarkLabel(issue)}
          </MenuItem>
          <MenuSeparator />
          <MenuRadioGroup label="Priority" value={issue.priority} onValueChange={onPriority}>
            {PRIORITIES.map((priority) => (
              <MenuRadioItem key={priority.value} value={priority.value}>
                {priority.label}
              </MenuRadioItem>
            ))}
          </MenuRadioGroup>
          <MenuSeparator />
        </>
      ) : null}
    </>
  )
}

function Place({ place, onMove }: { readonly place: StreamPlace; readonly onMove: (issue: string | null) => void }) {
  if (place.previous === null && place.next === null) return null
  const step = (issue: string | null, keys: string, label: string, sign: ReactNode): ReactNode => (
    <button
      type="button"
      className={styles.step}
      disabled={issue === null}
      aria-label={label}
      title={label}
      onClick={() => onMove(issue)}
    >
      <Kbd keys={keys} />
      <span className={styles.sign}>{sign}</span>
    </button>
  )
  return (
    <div className={styles.place}>
      {place.position === null ? null : (
        <span>
          {place.position} of {place.total}
        </span>
      )}
      {step(place.previous, 'k', 'Previous issue', <ChevronUpIcon />)}
      {step(place.next, 'j', 'Next issue', <ChevronDownIcon />)}
    </div>
  )
}

function Changes({ org, issue, busy, assigning, onAssigning, onStatus, onAssign }: IssueHeaderProps) {
  const isOpen = issue.status === 'unresolved'
  return (
    <>
      {isOpen ? (
        <span className={styles.split}>
          <Button variant="primary" kbd="e" busy={busy} className={styles.left} onClick={() => onStatus(RESOLVE)}>
            Resolve
          </Button>
          <Menu
            trigger={
              <Button
                variant="primary"
                className={styles.right}
                aria-label="More ways to resolve"
                icon={ChevronDownIcon}
              />
            }
          >
            <ResolveItems onChoose={onStatus} />
          </Menu>
        </span>
      ) : (
        <Button
          variant="primary"
          kbd={issue.status === 'resolved' ? 'e' : 'i'}
          busy={busy}
          onClick={() => onStatus(REOPEN)}
        >
          {issue.status === 'resolved' ? 'Reopen' : 'Unarchive'}
        </Button>
      )}
      {issue.status === 'ignored' ? (
        <Menu
          trigger={
            <Button>
              Resolve <ChevronDownIcon size={14} />
            </Button>
          }
        >
          <ResolveItems onChoose={onStatus} />
        </Menu>
      ) : (
        <Menu
          trigger={
            <Button>
              Archive <ChevronDownIcon size={14} />
            </Button>
          }
        >
          <ArchiveItems onChoose={onStatus} />
        </Menu>
      )}
      <AssigneePicker
        org={org}
        assignedTo={issue.assignedTo}
        open={assigning}
        onOpenChange={onAssigning}
        onAssign={(change, name) => {
          onAssigning(false)
          onAssign(change.assignedTo ?? '', name)
        }}
        trigger={
          <Button className={styles.assignee} aria-label={`Assignee: ${assigneeName(issue.assignedTo) ?? 'Nobody'}`}>
            <Avatar name={assigneeName(issue.assignedTo)} />
            <span className={styles.name}>{assigneeName(issue.assignedTo) ?? 'Nobody'}</span>
            <ChevronDownIcon size={14} />
          </Button>
        }
      />
    </>
  )
}

function Priority({ issue, mayWrite, onPriority }: IssueHeaderProps) {
  const current = PRIORITIES.find((priority) => priority.value === issue.priority)?.label ?? issue.priority
  const why =
    issue.priorityLockedAt === null
      ? (issue.priorityReason ?? 'Its points are not counted yet')
      : 'Somebody set it, so it stays'
  if (!mayWrite) {
    return (
      <span className={styles.priority} title={why}>
        Priority <strong>{current}</strong>
      </span>
    )
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" className={styles.priority} title={why}>
          Priority <strong>{current}</strong>
        </Button>
      }
    >
      <MenuRadioGroup label={why} value={issue.priority} onValueChange={onPriority}>
        {PRIORITIES.map((priority) => (
          <MenuRadioItem key={priority.value} value={priority.value}>
            {priority.label}
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
      {issue.priorityLockedAt === null ? null : (
        <MenuItem onSelect={() => onPriority(null)}>By its points again</MenuItem>
      )}
    </Menu>
  )
}

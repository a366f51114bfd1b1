import type { Issue, IssueDetail } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { formatCount } from '../../../lib/format.ts'
import { Badge, LevelDot, Link, Num, RelativeTime, Sparkline, VisibleText } from '../../../ui/index.ts'
import { badgeOf, countsOf, placeOf, titleParts, toldUsWords } from '../model/rows.ts'
import { alikeQuery, newestReportQuery, reviewedIssueQuery } from './queries.ts'
import styles from './ReviewScreen.module.css'

/** What one has to know of an issue to say what is to become of it. */
export function ReviewCard({ org, issue }: { readonly org: string; readonly issue: Issue }) {
  const { lead, rest } = titleParts(issue)
  const badge = badgeOf(issue)
  const events = Number(issue.count)
  return (
    <article className={styles.card} aria-labelledby={`review-${issue.id}`}>
      <header className={styles.head}>
        <p className={styles.place}>
          <LevelDot level={issue.level} /> {issue.project.slug} · {issue.shortId}
          {badge === null ? null : <Badge tone={badge.tone}>{badge.label}</Badge>}
          <Badge tone="neutral">{issue.priority} priority</Badge>
          {issue.reporterCount === 0 ? null : (
            <Link
              look="plain"
              to="/organizations/$org/issues/$issue"
              params={{ org, issue: issue.id }}
              search={{ tab: 'people' }}
            >
              <Badge tone="accent">{toldUsWords(issue.reporterCount)}</Badge>
            </Link>
          )}
        </p>
        <h2 id={`review-${issue.id}`} className={styles.title}>
          <Link to="/organizations/$org/issues/$issue" params={{ org, issue: issue.id }} look="plain">
            <VisibleText text={lead} />
          </Link>
        </h2>
        {rest === '' ? null : (
          <p className={styles.message}>
            <VisibleText text={rest} />
          </p>
        )}
        <p className={styles.culprit}>
          <VisibleText text={placeOf(issue)} />
        </p>
      </header>
      {issue.reporterCount === 0 ? null : <Quote org={org} issue={issue} />}
      <dl className={styles.facts}>
        <div>
          <dt>Events</dt>
          <dd>
            <Num value={events} />
          </dd>
        </div>
        <div>
          <dt>Users</dt>
          <dd>
            <Num value={issue.userCount} />
          </dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>
            <RelativeTime time={issue.lastSeen} />
          </dd>
        </div>
        <div>
          <dt>First seen</dt>
          <dd>
            <RelativeTime time={issue.firstSeen} />
          </dd>
        </div>
        <div className={styles.chart}>
          <dt>14 days</dt>
          <dd>
            <Sparkline values={countsOf(issue.stats)} label={`${formatCount(events)} events in 14 days`} />
          </dd>
        </div>
      </dl>
      <More org={org} issue={issue} />
    </article>
  )
}

/** What somebody wrote last, in their words: they are told when it is resolved. */
function Quote({ org, issue }: { readonly org: string; readonly issue: Issue }) {
  const { data } = useQuery(newestReportQuery(org, issue.id))
  const newest = data?.[0]
  // Its room is kept until it is there: what one is about to press stays where it is.
  if (data === undefined) return <figure className={styles.said} aria-busy />
  if (newest === undefined) return null
  return (
    <figure className={styles.said}>
      <blockquote dir="auto" lang={newest.language || undefined}>
        <VisibleText text={`“${newest.message}”`} />
      </blockquote>
      <figcaption>
        <bdi>
          <VisibleText text={newest.name || newest.email || 'anonymous'} />
        </bdi>{' '}
        · <RelativeTime time={newest.dateCreated} />
      </figcaption>
    </figure>
  )
}

const COMING = '…'

const NOT_COUNTED = 'Its points are not counted yet'

function releasesOf({ firstRelease, lastRelease }: IssueDetail): string {
  const first = firstRelease?.shortVersion ?? ''
  const last = lastRelease?.shortVersion ?? first
  return last === first || first === '' ? last : `first in ${first}, last in ${last}`
}

/** What else decides: why it is so urgent, which release, whose, and whether it is known by another name. */
function More({ org, issue }: { readonly org: string; readonly issue: Issue }) {
  const { data: detail } = useQuery(reviewedIssueQuery(org, issue.id))
  const { data: alike } = useQuery(alikeQuery(org, issue.id))
  const most = alike?.[0]
  const why =
    issue.priorityLockedAt === null
      ? (issue.priorityReason ?? (detail === undefined ? COMING : (detail.priorityReason ?? NOT_COUNTED)))
      : `${issue.priority}, set by somebody`
  const releases = detail === undefined ? COMING : releasesOf(detail)
  return (
    <dl className={styles.more}>
      <div>
        <dt>Priority</dt>
        <dd>{why}</dd>
      </div>
      {releases === '' ? null : (
        <div>
          <dt>Release</dt>
          <dd>
            <VisibleText text={releases} />
          </dd>
        </div>
      )}
      <div>
        <dt>Assigned to</dt>
        <dd>{issue.assignedTo === null ? 'nobody' : <VisibleText text={issue.assignedTo.name} />}</dd>
      </div>
      {most === undefined ? null : (
        <div>
          <dt>Similar</dt>
          <dd>
            <Link to="/organizations/$org/issues/$issue" params={{ org, issue: most.issue.id }}>
              <VisibleText text={`${most.issue.shortId} ${most.issue.title}`} />
            </Link>{' '}
            <span className={styles.alike}>
              {most.percent} % alike, {most.issue.status === 'ignored' ? 'archived' : most.issue.status}
            </span>
          </dd>
        </div>
      )}
    </dl>
  )
}

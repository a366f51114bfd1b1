import type { Issue } from '@firsthand/contract'

import { formatCount } from '../../../lib/format.ts'
import { Badge, LevelDot, Link, Num, RelativeTime, Sparkline, VisibleText } from '../../../ui/index.ts'
import { badgeOf, countsOf, titleParts } from '../model/rows.ts'
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
          <VisibleText text={issue.culprit} />
        </p>
      </header>
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
    </article>
  )
}

import { formatCompact, formatCount, formatDuration } from '../../../lib/format.ts'
import { cx } from '../../../lib/cx.ts'
import { shortVersion } from '../../../lib/short-version.ts'
import { VisibleText } from '../../../ui/index.ts'
import { firstDays } from './course.ts'
import {
  crashFreeText,
  differenceText,
  firstDaysText,
  sessionsText,
  shareText,
  STAGE_WORDS,
  usersText,
} from './rates.ts'
import type { Compared } from './ReleaseHealth.tsx'
import styles from './Numbers.module.css'

interface NumbersProps {
  readonly compared: Compared
  readonly release: NonNullable<Compared['release']>
}

/** What a release comes to, with the difference to the one before. */
export function Numbers({ compared, release }: NumbersProps) {
  const { before, lastDay } = compared
  const days = firstDays(compared)
  const time = days === null ? '' : ` ${firstDaysText(days)}`
  const [where] = lastDay.environments
  return (
    <dl className={styles.numbers}>
      <Rate
        name="crash-free sessions"
        rate={crashFreeText(release.sessions)}
        of={`of ${formatCount(release.sessions.total)}${time}`}
        difference={differenceText(release.crashFreeSessions, before?.crashFreeSessions ?? null)}
        before={
          before === null
            ? null
            : `${crashFreeText(before.sessions) ?? '–'} of ${sessionsText(before.sessions.total)} of ${shortVersion(before.version)}`
        }
      />
      <Rate
        name="crash-free users"
        rate={crashFreeText(release.users)}
        of={release.users.total === 0 ? 'no session names a user' : `of ${formatCount(release.users.total)}${time}`}
        difference={differenceText(release.crashFreeUsers, before?.crashFreeUsers ?? null)}
        before={
          before === null
            ? null
            : `${crashFreeText(before.users) ?? '–'} of ${usersText(before.users.total)} of ${shortVersion(before.version)}`
        }
      />
      <div className={styles.number}>
        <dd>
          <strong>{shareText(lastDay.sessions, lastDay.ofSessions) ?? '–'}</strong>
          <span
            className={styles.beside}
            title={`${formatCount(lastDay.sessions)} of ${formatCount(lastDay.ofSessions)}`}
          >
            {lastDay.ofSessions === 0 ? 'no session today' : `of ${formatCompact(lastDay.ofSessions)} today`}
          </span>
        </dd>
        <dt>
          adoption
          {where === undefined ? null : (
            <>
              , {STAGE_WORDS[where.stage]} in <VisibleText text={where.environment} />
            </>
          )}
        </dt>
      </div>
      {release.duration === null ? null : (
        <div className={styles.number}>
          <dd>
            <strong>{formatDuration(release.duration.p50)}</strong>
            <span className={styles.beside}>p90 {formatDuration(release.duration.p90)}</span>
          </dd>
          <dt>median of sessions that ended well</dt>
        </div>
      )}
    </dl>
  )
}

function Rate({
  name,
  rate,
  of,
  difference,
  before,
}: {
  readonly name: string
  readonly rate: string | null
  readonly of: string
  readonly difference: string | null
  /** What it differs from, in words. */
  readonly before: string | null
}) {
  return (
    <div className={styles.number}>
      <dd>
        <strong>{rate ?? '–'}</strong>
        {difference === null ? null : (
          <span
            className={cx(
              styles.difference,
              difference.startsWith('−') && styles.worse,
              difference.startsWith('+') && styles.better,
            )}
            title={before ?? undefined}
          >
            {difference}
          </span>
        )}
      </dd>
      <dt>
        {name}, {of}
      </dt>
    </div>
  )
}

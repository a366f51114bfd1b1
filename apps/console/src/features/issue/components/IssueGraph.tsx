import type { IssueDetail } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { formatAge, formatCount, formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { Num, RelativeTime, Skeleton } from '../../../ui/index.ts'
import { AlertMarks } from '../../alerts/links/index.ts'
import { ReleaseLink, useReleaseMarks } from '../../releases/links/index.ts'
import { graphBars, graphMarks } from '../model/graph.ts'
import { type IssueScope, issueStatsQuery } from '../queries.ts'
import { PartFailed } from './PartFailed.tsx'
import styles from './IssueGraph.module.css'

export interface IssueGraphProps {
  readonly scope: IssueScope
  readonly issue: IssueDetail
  /** The events were counted, but what is stored of them cannot be read. */
  readonly isUnreadable: boolean
  /** A bar was chosen: show an event of that time. Instants in milliseconds. */
  readonly onPick: (start: number, end: number) => void
}

const HEIGHT = 44

/** How often, over the chosen period, with the releases that came in it; and the four numbers one asks for first. */
export function IssueGraph({ scope, issue, isUnreadable, onPick }: IssueGraphProps) {
  const { data, error, refetch } = useQuery(issueStatsQuery(scope))
  const events = data?.data.reduce((sum, [, count]) => sum + count, 0) ?? Number(issue.count)
  const bars = data === undefined ? [] : graphBars(data.data, data.intervalSeconds)
  const life = issue.lifetime ?? issue
  return (
    <div className={styles.graph}>
      {Number(life.count) === 1 ? null : (
        <div className={styles.chart}>
          {isUnreadable ? (
            <p className={styles.unreadable}>The events could not be loaded.</p>
          ) : data === undefined && error !== null ? (
            <PartFailed what="The graph could not be loaded." error={error} onRetry={refetch} />
          ) : data === undefined ? (
            <Skeleton height={HEIGHT} />
          ) : (
            <svg
              viewBox={`0 0 ${Math.max(1, bars.length) * 10} ${HEIGHT}`}
              preserveAspectRatio="none"
              className={styles.bars}
              role="img"
              aria-label={`${formatCount(events)} events in the period`}
            >
              {bars.map((bar, index) => (
                <g
                  key={bar.start}
                  className={styles.bucket}
                  onClick={bar.count === 0 ? undefined : () => onPick(bar.start, bar.end)}
                >
                  <rect x={index * 10} y={0} width={10} height={HEIGHT} className={styles.hit}>
                    <title>{`${formatCount(bar.count)} ${bar.count === 1 ? 'event' : 'events'} from ${formatExact(bar.start)}`}</title>
                  </rect>
                  <rect
                    x={index * 10 + 1}
                    y={HEIGHT - barHeight(bar.height)}
                    width={8}
                    height={barHeight(bar.height)}
                    className={styles.bar}
                  />
                </g>
              ))}
            </svg>
          )}
          {data === undefined || isUnreadable ? null : (
            <>
              <ReleaseMarks
                scope={scope}
                project={issue.project.id}
                fromMs={Date.parse(data.start)}
                toMs={Date.parse(data.end)}
              />
              <AlertMarks
                org={scope.org}
                issue={issue.id}
                fromMs={Date.parse(data.start)}
                toMs={Date.parse(data.end)}
              />
            </>
          )}
          <div className={styles.axis}>
            {data === undefined || isUnreadable ? null : (
              <>
                <span>{formatMoment('date', Date.parse(data.start))}</span>
                <span>
                  highest {formatCount(Math.max(0, ...bars.map((bar) => bar.count)))} in{' '}
                  {formatAge(data.intervalSeconds * 1000)}
                </span>
                <span>now</span>
              </>
            )}
          </div>
        </div>
      )}
      <dl className={styles.totals}>
        {isUnreadable ? (
          <>
            <Total value={<Num value={null} />} label="events unavailable" />
            <Total value={<Num value={null} />} label="users unavailable" />
          </>
        ) : (
          <>
            <Total value={<Num value={events} />} label={events === 1 ? 'event' : 'events'} />
            <Total
              value={<Num value={issue.userCount === 0 ? null : issue.userCount} />}
              label={issue.userCount === 1 ? 'user' : 'users'}
            />
          </>
        )}
        <Total
          value={<RelativeTime time={life.firstSeen} form="age" />}
          label={<SeenIn what="first seen" org={scope.org} release={issue.firstRelease} />}
        />
        <Total
          value={<RelativeTime time={life.lastSeen} form="age" />}
          label={<SeenIn what="last seen" org={scope.org} release={issue.lastRelease} />}
        />
      </dl>
    </div>
  )
}

/** Releases of the issue's project, where they began to run. */
function ReleaseMarks({
  scope: { environment, org, time },
  project,
  fromMs,
  toMs,
}: {
  readonly scope: IssueScope
  readonly project: string
  readonly fromMs: number
  readonly toMs: number
}) {
  const shipped = useReleaseMarks(org, { statsPeriod: '', ...time, project: [project], environment })
  return graphMarks(shipped, fromMs, toMs).map((mark) => (
    <span
      key={`${mark.label} ${mark.at}`}
      className={mark.at > 0.8 ? styles.markLeft : styles.mark}
      style={{ left: `${mark.at * 100}%` }}
    >
      <span className={styles.release}>{mark.label}</span>
    </span>
  ))
}

/** What is not zero can be seen; what is zero leaves a hair line. */
function barHeight(share: number): number {
  return share === 0 ? 1 : Math.max(3, share * HEIGHT)
}

function SeenIn({
  what,
  org,
  release,
}: {
  readonly what: string
  readonly org: string
  readonly release: IssueDetail['firstRelease']
}) {
  if (release === null) return what
  return (
    <>
      {what} in <ReleaseLink org={org} version={release.version} />
    </>
  )
}

function Total({ value, label }: { readonly value: ReactNode; readonly label: ReactNode }) {
  return (
    <div className={styles.total}>
      <dd className={styles.value}>{value}</dd>
      <dt className={styles.label}>{label}</dt>
    </div>
  )
}

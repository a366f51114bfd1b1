import { useMemo } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { shortVersion } from '../../../lib/short-version.ts'
import { Panel, TimeSeries } from '../../../ui/index.ts'
import { crashedShares, firstDays, spared } from './course.ts'
import { firstDaysText } from './rates.ts'
import type { Compared } from './ReleaseHealth.tsx'
import styles from './ReleaseHealth.module.css'

const percent = (value: number): string => `${Number(value.toFixed(2))}%`

/** Which part of its sessions crashed, hour by hour since it went live, beside the one before at the same age. */
export function CrashedOverTime({
  compared,
  release,
}: {
  readonly compared: Compared
  readonly release: NonNullable<Compared['release']>
}) {
  const { before, interval } = compared
  const days = firstDays(compared)
  const subtitle = [
    'share of all',
    days === null ? (before === null ? 'since its first session' : null) : firstDaysText(days),
    before === null ? null : 'both releases at the same age',
  ]
  const lines = useMemo(() => {
    const since = Date.parse(release.since)
    return {
      times: release.steps.map((_, step) => since + step * interval * 1000),
      series: [
        ...(before === null
          ? []
          : [{ label: shortVersion(before.version), values: crashedShares(before.steps, release.steps.length) }]),
        {
          label: shortVersion(release.version),
          values: crashedShares(release.steps, release.steps.length),
          tone: before === null ? ('neutral' as const) : ('accent' as const),
          weight: 2,
        },
      ],
    }
  }, [before, interval, release])
  const fewer = spared(release, before)
  return (
    <Panel title="Crashed sessions" subtitle={subtitle.filter((words) => words !== null).join(', ')}>
      <TimeSeries
        label="Share of sessions that crashed, since the first session of the release"
        form="lines"
        unit="of its sessions"
        hideTotal
        times={lines.times}
        bucketMs={interval * 1000}
        series={lines.series}
        formatValue={percent}
        height={150}
      />
      {fewer === null ? null : (
        <p className={styles.foot}>
          <strong>{formatCount(Math.abs(fewer))}</strong>{' '}
          {fewer > 0
            ? `${fewer === 1 ? 'session' : 'sessions'} would not have crashed at the rate of ${shortVersion(before?.version ?? '')}`
            : `more ${fewer === -1 ? 'session' : 'sessions'} would have crashed at the rate of ${shortVersion(before?.version ?? '')}`}
        </p>
      )}
    </Panel>
  )
}

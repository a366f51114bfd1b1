import { useMemo } from 'react'
import { shortVersion } from '../../../lib/short-version.ts'
import { Panel, TimeSeries, type TimeSeriesLine } from '../../../ui/index.ts'
import { adoptionShares } from './course.ts'
import type { Compared } from './ReleaseHealth.tsx'

const percent = (value: number): string => `${Math.floor(value)}%`

/** How much of all sessions it became. */
export function Adoption({
  compared: { adoption, before },
  release,
}: {
  readonly compared: Compared
  readonly release: NonNullable<Compared['release']>
}) {
  const { series, times } = useMemo(() => {
    const start = Date.parse(adoption.start)
    const shares = adoptionShares(adoption.steps)
    const lines: readonly TimeSeriesLine[] = [
      { label: shortVersion(release.version), values: shares.own, tone: 'accent' },
      ...(before === null ? [] : [{ label: shortVersion(before.version), values: shares.before }]),
      { label: 'others', values: shares.others, hue: '--line' },
    ]
    return { series: lines, times: adoption.steps.map((_, step) => start + step * adoption.interval * 1000) }
  }, [adoption, before, release.version])
  return (
    <Panel title="Adoption" subtitle="share of all sessions of its projects">
      <TimeSeries
        label="Share of all sessions by release"
        unit="of all sessions"
        hideTotal
        times={times}
        bucketMs={adoption.interval * 1000}
        series={series}
        formatValue={percent}
        height={150}
        endsNow
      />
    </Panel>
  )
}

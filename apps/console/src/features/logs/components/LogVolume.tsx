import { LOG_LEVELS, type LogCounts, type LogLevel } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { formatCount } from '../../../lib/format.ts'
import { levelWord } from '../../../lib/level-word.ts'
import { TimeSeries, type TimeSeriesLine } from '../../../ui/index.ts'
import { rangeBetween } from '../../issues/model/index.ts'
import { useReleaseMarks } from '../../releases/links/index.ts'
import { changeText } from '../model/volume.ts'
import { type LogScope, refreshOf, volumeQuery } from '../queries.ts'
import { LevelGlyph } from './LevelGlyph.tsx'
import type { ChangeLogs } from './LogsScreen.tsx'
import styles from './LogVolume.module.css'

const SECOND_MS = 1000

const TONES: Readonly<Record<LogLevel, TimeSeriesLine['tone']>> = {
  trace: 'neutral',
  debug: 'neutral',
  info: 'neutral',
  warn: 'warning',
  error: 'error',
  fatal: 'fatal',
}

/** How many lines, by level and over time. A drag over the chart narrows the time. */
export function LogVolume({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: LogScope
  readonly onChange: ChangeLogs
}) {
  const { data } = useQuery({ ...volumeQuery(org, search), refetchInterval: refreshOf(search) })
  const marks = useReleaseMarks(org, search)
  if (data === undefined) return <div className={styles.volume} />
  const { before, interval, start, steps, total } = data
  const sum = (counts: LogCounts): number => LOG_LEVELS.reduce((all, level) => all + counts[level], 0)
  const shown = LOG_LEVELS.filter((level) => total[level] > 0).toReversed()
  return (
    <section className={styles.volume} aria-label="Lines over time">
      {/* On a phone they are one line that scrolls: also for whoever has no finger on it. */}
      <div role="group" aria-label="Lines by level" tabIndex={0} className={styles.totals}>
        <span>
          <strong className={styles.sum}>{formatCount(sum(total))}</strong> {sum(total) === 1 ? 'line' : 'lines'}
        </span>
        {shown.map((level) => (
          <span key={level} className={styles.level}>
            <LevelGlyph level={level} /> {levelWord(level)} <strong>{formatCount(total[level])}</strong>{' '}
            <Change level={level} now={total[level]} before={before[level]} />
          </span>
        ))}
        <span className={styles.hint}>drag over the chart to narrow the time</span>
      </div>
      <TimeSeries
        label="Log lines by level over time"
        form="bars"
        unit="lines"
        height={84}
        hideLegend
        endsNow={search.end === undefined}
        times={steps.map((_, index) => (start + index * interval) * SECOND_MS)}
        bucketMs={interval * SECOND_MS}
        marks={marks}
        series={LOG_LEVELS.map((level, place) => ({
          label: levelWord(level),
          values: steps.map((step) => step[place] ?? 0),
          tone: TONES[level] ?? 'neutral',
        }))}
        onRangeSelect={(from, to) => onChange(rangeBetween(from, to))}
      />
    </section>
  )
}

/** Against the equally long time before. Red only for more of what is bad. */
function Change({ level, now, before }: { readonly level: LogLevel; readonly now: number; readonly before: number }) {
  const text = changeText(now, before)
  if (text === null) return null
  const isWorse = now > before && (level === 'error' || level === 'fatal' || level === 'warn')
  return <span className={isWorse ? styles.worse : styles.change}>{text}</span>
}

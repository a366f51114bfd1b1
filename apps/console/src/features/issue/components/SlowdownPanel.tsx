import { formatCount, formatExact } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { ButtonLink, Panel, VisibleText } from '../../../ui/index.ts'
import type { EventView } from '../model/event-view.ts'
import { timeOf, timesAsLong } from '../model/slowdown.ts'
import { Fact } from './FindingPanel.tsx'
import styles from './FindingPanel.module.css'

interface PanelProps {
  readonly org: string
  /** Id. */
  readonly project: string
  readonly event: EventView
}

const HOUR_MS = 3_600_000

/** A transaction that became slower: from what to what, since when, and where it is seen. */
export function SlowdownPanel({ org, project, event }: PanelProps) {
  const { slowdown } = event
  if (slowdown === null) return null
  const { after, before, comparedFrom, op, samplesAfter, samplesBefore, since, until } = slowdown
  const hours = (length: number): string => `${formatCount(Math.round(length / HOUR_MS))} hours`
  return (
    <Panel
      title={slowdown.title}
      content="rows"
      actions={
        <ButtonLink
          size="small"
          to="/organizations/$org/performance/summary"
          params={{ org }}
          search={timeOf(slowdown, project)}
        >
          Show the transaction
        </ButtonLink>
      }
    >
      <p className={styles.sentence}>
        Its p95 went from {formatSpent(before)} to {formatSpent(after)}.
      </p>
      <dl className={styles.facts}>
        <Fact name="Transaction">
          <code className={styles.code}>
            <VisibleText text={slowdown.transaction} />
          </code>
          <span className={styles.formula}>{op}</span>
        </Fact>
        <Fact name="p95 of an hour">
          <strong>
            {formatSpent(before)} → {formatSpent(after)}
          </strong>
          <span className={styles.formula}>{timesAsLong(slowdown)}</span>
        </Fact>
        <Fact name="Since">{formatExact(since)}</Fact>
        <Fact name="Samples">
          {formatCount(samplesBefore)} in the {hours(since - comparedFrom)} before, {formatCount(samplesAfter)} in the{' '}
          {hours(until - since)} since
        </Fact>
      </dl>
      <p className={styles.rule}>{slowdown.rule}</p>
    </Panel>
  )
}

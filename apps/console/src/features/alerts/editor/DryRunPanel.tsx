import type { AlertDraft, AlertDryRun } from '@firsthand/contract'

import { describeError } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { Button, ErrorState, Panel, SegmentedControl, Skeleton, Spinner } from '../../../ui/index.ts'
import { type Comparison, withComparison, withLimit } from '../model/draft.ts'
import { quantityOf } from '../model/quantities.ts'
import { lengthText } from '../model/words.ts'
import { DryRunChart } from './DryRunChart.tsx'
import { LadderRow } from './LadderRow.tsx'
import type { DryRunWork } from './use-dry-run.ts'
import styles from './DryRunPanel.module.css'

interface Props {
  readonly draft: AlertDraft
  readonly work: DryRunWork
  /** Place of the firing whose messages are shown. */
  readonly shown: number
  readonly mayWrite: boolean
  readonly onChange: (part: Partial<AlertDraft>) => void
  readonly onShow: (place: number) => void
}

/** What the alert would have said in the last 14 days. Nothing of it is sent. */
export function DryRunPanel({ draft, work, shown, mayWrite, onChange, onShow }: Props) {
  const { run, error, isOutdated, isRunning, isStopped } = work
  const { trigger } = draft
  return (
    <Panel
      title="Dry run, last 14 days"
      subtitle={subtitleOf(draft, run?.interval ?? HOUR_SECONDS)}
      content="rows"
      actions={
        <>
          {run?.band === null || run === undefined ? null : (
            <span className={styles.usual}>
              <span className={styles.swatch} />
              usual for the hour
            </span>
          )}
          {isRunning ? (
            <Button size="small" variant="ghost" onClick={work.stop}>
              <Spinner size={14} /> Stop
            </Button>
          ) : null}
          {trigger.source === 'measured' && mayWrite ? (
            <SegmentedControl
              aria-label="What it is held against"
              value={trigger.comparison.kind}
              options={HOW}
              onValueChange={(kind) => onChange({ trigger: withComparison(trigger, kind) })}
            />
          ) : null}
        </>
      }
    >
      {isStopped && run === undefined ? (
        <div className={styles.stopped}>
          <p>Stopped. Nothing is known yet of what it would have said.</p>
          <Button onClick={work.again}>Run it</Button>
        </div>
      ) : run !== undefined ? (
        <div className={cx(isOutdated && styles.outdated)}>
          {error === null ? null : (
            <p className={styles.failed} role="alert">
              {describeError(error).detail}
            </p>
          )}
          <DryRunChart
            draft={draft}
            run={run}
            shown={shown}
            mayWrite={mayWrite}
            onLimit={(limit) => onChange(withLimit(draft, limit))}
            onShow={onShow}
          />
          <LadderRow draft={draft} run={run} disabled={!mayWrite} onChange={onChange} />
          <Totals run={run} />
          <Caveats run={run} isStopped={isStopped} onRun={work.again} />
        </div>
      ) : error === null ? (
        <div className={styles.coming}>
          <Skeleton height={240} />
        </div>
      ) : (
        <ErrorState compact title="It could not be tried" {...describeError(error)} onRetry={work.again} />
      )}
    </Panel>
  )
}

const HOW: readonly { readonly value: Comparison['kind']; readonly label: string }[] = [
  { value: 'fixed', label: 'Fixed' },
  { value: 'change', label: 'Change' },
  { value: 'unusual', label: 'Unusual' },
]

const HOUR_SECONDS = 3600

/** What the height of the bars is. @param seconds of a bar */
function subtitleOf({ trigger }: AlertDraft, seconds: number): string {
  const step = seconds === HOUR_SECONDS ? 'hour' : lengthText(seconds / 60)
  if (trigger.source === 'happened') return `how often it happened in each ${step}`
  if (trigger.source === 'silence') return `minutes of silence, the longest of each ${step}`
  const { noun } = quantityOf(trigger.dataset, trigger.aggregate)
  const extreme = trigger.comparison.direction === 'below' ? 'lowest' : 'highest'
  const each = trigger.groupBy.length === 0 ? '' : `, for the worst ${trigger.groupBy.join(' and ')}`
  return `${noun} in any ${lengthText(trigger.windowMinutes)}, the ${extreme} of each ${step}${each}`
}

function Totals({ run }: { readonly run: AlertDryRun }) {
  const perWeek = run.messages / 2
  const weekly =
    run.messages === 0 ? '' : `, ${perWeek < 1 ? 'less than one' : formatCount(Math.round(perWeek))} a week`
  return (
    <div className={styles.totals}>
      <dl className={styles.counts}>
        <Total value={run.messages} label={`${run.messages === 1 ? 'message' : 'messages'}${weekly}`} />
        <Total value={run.incidents} label={run.incidents === 1 ? 'incident' : 'incidents'} />
        <Total value={run.atNight} label="at night" />
      </dl>
      <p className={styles.cost}>
        {formatCount(run.evaluations)} evaluations, {formatCount(run.rows)} rows,{' '}
        {formatCount(Math.round(run.milliseconds))} ms
      </p>
    </div>
  )
}

function Total({ value, label }: { readonly value: number; readonly label: string }) {
  return (
    <div className={styles.total}>
      <dd>{formatCount(value)}</dd>
      <dt>{label}</dt>
    </div>
  )
}

/** What the numbers do not say: that only some days were looked at, what cannot be replayed, that it still learns. */
function Caveats({
  run,
  isStopped,
  onRun,
}: {
  readonly run: AlertDryRun
  readonly isStopped: boolean
  readonly onRun: () => void
}) {
  const said = [
    ...(run.sampled === null ? [] : [run.sampled.sentence]),
    ...(run.learning === null
      ? []
      : [`It is still learning what is usual: ${run.learning.days} of ${run.learning.of} days.`]),
  ]
  return (
    <>
      {said.length === 0 && !isStopped ? null : <Warnings said={said} isStopped={isStopped} onRun={onRun} />}
      {run.missing.length === 0 ? null : <p className={styles.missing}>{run.missing.join(' ')}</p>}
    </>
  )
}

function Warnings({
  said,
  isStopped,
  onRun,
}: {
  readonly said: readonly string[]
  readonly isStopped: boolean
  readonly onRun: () => void
}) {
  return (
    <div className={styles.caveats} role="status">
      {said.map((one) => (
        <p key={one}>{one}</p>
      ))}
      {isStopped ? (
        <p>
          Stopped: this is of an earlier wording.{' '}
          <Button size="small" onClick={onRun}>
            Run it
          </Button>
        </p>
      ) : null}
    </div>
  )
}

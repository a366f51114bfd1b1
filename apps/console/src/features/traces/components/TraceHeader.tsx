import { formatCount, formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { Badge, CopyButton, Link, VisibleText } from '../../../ui/index.ts'
import { TraceReplays } from '../../replays/links/index.ts'
import type { TraceModel } from '../model/trace.ts'
import styles from './TraceHeader.module.css'

const ID_CHARACTERS = 12

const plural = (count: number, one: string): string => `${one}${count === 1 ? '' : 's'}`

/** What the trace is, how long it took, how much there is of it. */
export function TraceHeader({
  org,
  trace,
  title,
  model,
}: {
  readonly org: string
  readonly trace: string
  readonly title: string
  readonly model: TraceModel
}) {
  const errors = model.errors.length
  return (
    <header className={styles.header}>
      <span className={styles.crumb}>
        <Link look="quiet" to="/organizations/$org/traces" params={{ org }}>
          Traces
        </Link>{' '}
        /
      </span>
      <h1 className={styles.title} title={title}>
        <VisibleText text={title} />
      </h1>
      {errors === 0 ? null : (
        <Badge tone="error">
          {formatCount(errors)} {plural(errors, 'error')}
        </Badge>
      )}
      <span className={styles.facts}>
        <span>
          <strong>{formatSpent((model.spans.to - model.spans.from) / 1000)}</strong>
        </span>
        <span>
          <strong>{formatCount(model.count)}</strong> {plural(model.count, 'span')}
        </span>
        <span>
          <strong>{model.projects.length}</strong> {plural(model.projects.length, 'project')}
        </span>
        <time dateTime={new Date(model.startMs).toISOString()} title={formatExact(model.startMs)}>
          {formatMoment('hour', model.startMs)}
        </time>
      </span>
      <TraceReplays org={org} trace={trace} startMs={model.startMs} />
      <span className={styles.id}>
        <code title={trace}>{trace.slice(0, ID_CHARACTERS)}</code>
        <CopyButton text={trace} label="trace id" />
      </span>
    </header>
  )
}

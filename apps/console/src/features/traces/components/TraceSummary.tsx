import { useMemo } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { levelWord } from '../../../lib/level-word.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { Button, Link, VisibleText } from '../../../ui/index.ts'
import { KindGlyph } from '../kinds/KindGlyph.tsx'
import { KINDS } from '../kinds/kinds.ts'
import { problemOf } from '../model/finding.ts'
import type { Fold } from '../model/layout.ts'
import { offsetText } from '../model/time-axis.ts'
import { nameOf, type TraceError, type TraceFinding, type TraceLog, type TraceModel, wordOf } from '../model/trace.ts'
import { timeByKind } from '../model/work.ts'
import type { TraceView } from '../trace-view.ts'
import styles from './TraceSummary.module.css'

const MILLISECOND = 1000
const SHOWN_ERRORS = 50

/** Where the time of the trace went, and what went wrong in it. */
export function TraceSummary({
  org,
  trace,
  view,
}: {
  readonly org: string
  readonly trace: string
  readonly view: TraceView
}) {
  const { model } = view
  const sums = useMemo(() => timeByKind(model, KINDS.length), [model])
  const all = sums.reduce((sum, time) => sum + time, 0)
  const kinds = KINDS.map((kind, index) => ({ kind, time: sums[index] as number }))
    .filter(({ time }) => time > 0)
    .toSorted((a, b) => b.time - a.time)
  return (
    <>
      <h2 className={styles.title}>Where the trace went</h2>
      <p className={styles.muted}>self time of its spans</p>
      {kinds.length === 0 ? (
        <p className={styles.text}>
          {model.count === 0
            ? 'Only errors or log lines of it are known: it was not sampled, or its spans are older than what is kept.'
            : 'Its spans took no time.'}
        </p>
      ) : (
        <>
          <div className={styles.bar} aria-hidden="true">
            {kinds.map(({ kind, time }) => (
              <span key={kind} className={styles.share} data-kind={kind} style={{ flexGrow: time / all }} />
            ))}
          </div>
          <ul className={styles.kinds}>
            {kinds.map(({ kind, time }) => (
              <li key={kind} className={styles.kind}>
                <KindGlyph kind={kind} />
                <span>{kind}</span>
                <span className={styles.number}>{formatSpent(time / MILLISECOND)}</span>
                <span className={styles.number}>{Math.round((time / all) * 100)}%</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <ErrorList org={org} errors={model.errors} />
      <LogList org={org} trace={trace} model={model} logs={model.logs} />
      {model.count === 0 ? null : <p className={styles.hint}>Choose a span for details.</p>}
    </>
  )
}

/** Errors as links to their event, with when they happened. */
export function ErrorList({ org, errors }: { readonly org: string; readonly errors: readonly TraceError[] }) {
  if (errors.length === 0) return null
  return (
    <section className={styles.part}>
      <h3 className={styles.heading}>{errors.length === 1 ? 'Error' : `${formatCount(errors.length)} errors`}</h3>
      <ul className={styles.errors}>
        {errors.slice(0, SHOWN_ERRORS).map((error) => (
          <li key={error.eventId}>
            <Link
              look="plain"
              className={styles.error}
              to="/organizations/$org/issues/$issue"
              params={{ org, issue: error.issueId }}
              search={{ event: error.eventId }}
            >
              <span className={styles.diamond} data-level={error.level} aria-hidden="true" />
              <span className={styles.what}>
                <VisibleText text={error.title} /> <span className={styles.muted}>{error.shortId}</span>
              </span>
              <span className={styles.number}>{offsetText(error.at)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {errors.length > SHOWN_ERRORS ? (
        <p className={styles.muted}>and {formatCount(errors.length - SHOWN_ERRORS)} more</p>
      ) : null}
    </section>
  )
}

const AROUND_MS = 3_600_000
const SHOWN_LOGS = 20

/** Log lines as links to where they stand among the others of the trace. */
export function LogList({
  org,
  trace,
  model,
  logs,
}: {
  readonly org: string
  readonly trace: string
  readonly model: TraceModel
  readonly logs: readonly TraceLog[]
}) {
  if (logs.length === 0) return null
  const first = logs.reduce((least, { at }) => Math.min(least, at), model.from)
  // The time of the trace, whatever the clocks of its services say.
  const time = {
    start: new Date(model.startMs + first / MILLISECOND - AROUND_MS).toISOString(),
    end: new Date(model.startMs + model.to / MILLISECOND + AROUND_MS).toISOString(),
  }
  return (
    <section className={styles.part}>
      <h3 className={styles.heading}>{logs.length === 1 ? 'Log line' : `${formatCount(logs.length)} log lines`}</h3>
      <ul className={styles.errors}>
        {logs.slice(0, SHOWN_LOGS).map((log) => (
          <li key={log.id}>
            <Link
              look="plain"
              className={styles.error}
              to="/organizations/$org/logs"
              params={{ org }}
              search={{ ...time, query: `trace:${trace}`, line: log.id }}
            >
              <span className={styles.tick} data-level={log.level} aria-hidden="true" />
              <span className={styles.what}>
                <VisibleText text={log.body} /> <span className={styles.muted}>{levelWord(log.level)}</span>
              </span>
              <span className={styles.number}>{offsetText(log.at)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {logs.length > SHOWN_LOGS ? (
        <p className={styles.muted}>
          and {formatCount(logs.length - SHOWN_LOGS)} more:{' '}
          <Link to="/organizations/$org/logs" params={{ org }} search={{ ...time, query: `trace:${trace}` }}>
            all lines of the trace
          </Link>
        </p>
      ) : null}
    </section>
  )
}

/** The problem that a span shows, in a sentence that leads to its issue. */
export function FindingNote({ org, finding }: { readonly org: string; readonly finding: TraceFinding | undefined }) {
  if (finding === undefined) return null
  const { eventId, issueId, shortId, spanIds } = finding
  return (
    <p className={styles.finding}>
      {problemOf(finding)}:{' '}
      <Link to="/organizations/$org/issues/$issue" params={{ org, issue: issueId }} search={{ event: eventId }}>
        {shortId}
      </Link>{' '}
      is about {spanIds.length === 1 ? 'this span' : `this and others, ${formatCount(spanIds.length)} spans together`}.
    </p>
  )
}

/** Spans that are alike, together. */
export function FoldDetails({
  org,
  view,
  node,
  fold,
}: {
  readonly org: string
  readonly view: TraceView
  readonly node: number
  readonly fold: Fold
}) {
  const { model } = view
  const first = fold.members[0] as number
  const durations = useMemo(
    () =>
      fold.members.map((span) => (model.end[span] as number) - (model.start[span] as number)).toSorted((a, b) => a - b),
    [model, fold],
  )
  const at = (share: number): string =>
    formatSpent((durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? 0) / MILLISECOND)
  const facts: readonly (readonly [string, string])[] = [
    ['alike', formatCount(fold.members.length)],
    ['together', formatSpent(fold.sum / MILLISECOND)],
    ['p50', at(0.5)],
    ['p95', at(0.95)],
    ['slowest', at(1)],
    ['failed', formatCount(fold.failed)],
  ]
  const isClosed = view.closed[node] === 1
  return (
    <>
      <h2 className={styles.title}>
        <VisibleText text={nameOf(model, first)} />
      </h2>
      <p className={styles.muted}>
        <VisibleText text={wordOf(model, model.op[first])} />, siblings with the same name
      </p>
      <FindingNote org={org} finding={model.findingsOf.get(first)} />
      <dl className={styles.facts}>
        {facts.map(([what, value]) => (
          <div key={what} className={styles.fact}>
            <dt className={styles.muted}>{what}</dt>
            <dd className={styles.number}>{value}</dd>
          </div>
        ))}
      </dl>
      <Button size="small" kbd="Enter" onClick={() => view.setClosed(node, !isClosed)}>
        {isClosed ? 'Show each' : 'Fold again'}
      </Button>
    </>
  )
}

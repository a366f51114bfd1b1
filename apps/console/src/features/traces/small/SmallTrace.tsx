import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useMemo, useRef } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { Link, Loaded, SkeletonRows, VisibleText } from '../../../ui/index.ts'
import { KindGlyph, kindOf } from '../kinds/index.ts'
import { initiallyClosed, layOut, NODE, visibleRows } from '../model/layout.ts'
import { hasFlag, nameOf, readTrace, type TraceModel, wordOf } from '../model/trace.ts'
import { traceQuery } from '../queries.ts'
import { SPAN_FLAGS, type Trace } from '@firsthand/contract'
import styles from './SmallTrace.module.css'

/** A time that others keep. Milliseconds since the epoch. */
export interface Clock {
  now(): number
  /** @returns ends it */
  subscribe(listener: () => void): () => void
}

/** More are on the page of the trace. */
const MAX_ROWS = 40
const MILLISECOND = 1000
const LEAST_BAR = 0.008

/** A trace in a few rows: what took time when, and where another clock is in it. A press on a row goes to its beginning. */
export function SmallTrace({
  org,
  trace,
  clock,
  onGo,
}: {
  readonly org: string
  readonly trace: string
  readonly clock: Clock
  readonly onGo: (at: number) => void
}) {
  const query = useQuery(traceQuery(org, trace))
  return (
    <Loaded
      query={query}
      outline={<SkeletonRows rows={4} label="Loading the trace" />}
      failed="The trace could not be loaded"
      compact
    >
      {(data) => <Rows org={org} data={data} clock={clock} onGo={onGo} />}
    </Loaded>
  )
}

interface SmallRow {
  readonly key: number
  readonly at: number
  readonly depth: number
  readonly op: string
  readonly name: string
  readonly isFailed: boolean
  readonly took: number
  readonly start: number
  readonly end: number
}

const shareOf = (model: TraceModel, at: number): number => (at - model.from) / (model.to - model.from)

function rowsOf(model: TraceModel): { readonly rows: readonly SmallRow[]; readonly leftOut: number } {
  const layout = layOut(model, true)
  const nodes = visibleRows(layout, initiallyClosed(layout))
  const spans = nodes.filter((node) => layout.kind[node] !== NODE.missing)
  const rows = Array.from(spans.subarray(0, MAX_ROWS), (node): SmallRow => {
    const span = layout.span[node] as number
    const fold = layout.folds.get(node)
    const [from, to] =
      fold === undefined ? [model.start[span] as number, model.end[span] as number] : [fold.from, fold.to]
    const name = nameOf(model, span)
    return {
      key: node,
      at: model.startMs + from / MILLISECOND,
      depth: layout.depth[node] as number,
      op: wordOf(model, model.op[span]),
      name: fold === undefined ? name : `${formatCount(fold.members.length)} × ${name}`,
      isFailed: hasFlag(model, span, SPAN_FLAGS.failed),
      took: (to - from) / MILLISECOND,
      start: shareOf(model, from),
      end: shareOf(model, to),
    }
  })
  return { rows, leftOut: spans.length - rows.length }
}

function Rows({
  org,
  data,
  clock,
  onGo,
}: {
  readonly org: string
  readonly data: Trace
  readonly clock: Clock
  readonly onGo: (at: number) => void
}) {
  const model = useMemo(() => readTrace(data), [data])
  const { rows, leftOut } = useMemo(() => rowsOf(model), [model])
  const line = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const follow = (): void => {
      const element = line.current
      if (element === null) return
      const at = shareOf(model, (clock.now() - model.startMs) * MILLISECOND)
      element.hidden = at < 0 || at > 1
      element.style.setProperty('--at', String(at))
    }
    follow()
    return clock.subscribe(follow)
  }, [clock, model])
  if (rows.length === 0) return <p className={styles.note}>No span of this trace is stored.</p>
  return (
    <div className={styles.trace}>
      <ol className={styles.rows}>
        {rows.map((row) => (
          <li key={row.key}>
            <button
              type="button"
              className={styles.row}
              data-failed={row.isFailed}
              title={`${row.op} ${row.name}`}
              onClick={() => onGo(row.at)}
            >
              <span className={styles.name} style={{ '--depth': Math.min(8, row.depth) } as CSSProperties}>
                <KindGlyph kind={kindOf(row.op)} size={12} />
                <span className={styles.words}>
                  <VisibleText text={row.name} />
                </span>
              </span>
              <span className={styles.track}>
                <span
                  className={styles.bar}
                  data-kind={kindOf(row.op)}
                  style={{
                    left: `${Math.min(1 - LEAST_BAR, row.start) * 100}%`,
                    width: `${Math.max(LEAST_BAR, row.end - row.start) * 100}%`,
                  }}
                />
              </span>
              <span className={styles.took}>{formatSpent(row.took)}</span>
            </button>
          </li>
        ))}
      </ol>
      <span className={styles.over} aria-hidden="true">
        <span ref={line} className={styles.now} />
      </span>
      {leftOut === 0 ? null : (
        <p className={styles.note}>
          <Link to="/organizations/$org/traces/$trace" params={{ org, trace: data.traceId }}>
            {formatCount(leftOut)} more rows in the whole trace
          </Link>
        </p>
      )}
    </div>
  )
}

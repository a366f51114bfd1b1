import type { CheckIn, Monitor } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'

import { formatDuration, formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { Button, CodeBlock, Link, Loaded, SkeletonRows, VisibleText } from '../../../ui/index.ts'
import { clocksOf } from '../model/clocks.ts'
import { logQuery } from '../queries.ts'
import styles from './RunList.module.css'

interface RunListProps {
  readonly org: string
  readonly monitor: Pick<Monitor, 'id'>
  readonly runs: readonly CheckIn[]
}

/** Runs, newest first, each with what it came to and why. */
export function RunList({ monitor, org, runs }: RunListProps) {
  if (runs.length === 0) return <p className={styles.none}>No run yet.</p>
  return (
    <ul className={styles.runs}>
      {runs.map((run) => (
        <Run key={run.id} org={org} monitor={monitor.id} run={run} />
      ))}
    </ul>
  )
}

function Run({ monitor, org, run }: { readonly org: string; readonly monitor: string; readonly run: CheckIn }) {
  const [isOpen, setOpen] = useState(false)
  const at = Date.parse(run.dateAdded)
  return (
    <li>
      <div className={styles.run}>
        <time className={styles.time} dateTime={run.dateAdded} title={formatExact(at)}>
          {formatMoment('second', at)}
        </time>
        <span className={styles.word} data-status={run.isLate ? 'late' : run.status}>
          {run.heading.toLowerCase()}
        </span>
        <span className={styles.reason}>
          <Reason parts={run.reasonParts} zone={run.monitorConfig.timezone} />
          {run.release === null ? null : (
            <>
              {run.reasonParts.length === 0 ? '' : ' · '}
              <VisibleText text={run.release} />
            </>
          )}
        </span>
        <span className={styles.duration}>{run.duration === null ? '' : formatDuration(run.duration)}</span>
        <span className={styles.links}>
          {run.hasLog ? (
            <Button variant="ghost" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide log' : 'Log'}
            </Button>
          ) : null}
          {run.traceId === null ? null : (
            <Link look="quiet" to="/organizations/$org/traces/$trace" params={{ org, trace: run.traceId }}>
              trace {run.traceId.slice(0, 6)}
            </Link>
          )}
        </span>
      </div>
      {isOpen ? <Log org={org} monitor={monitor} run={run.id} /> : null}
    </li>
  )
}

/** Why, with its times by the reader's clock and by that of the monitor. */
function Reason({ parts, zone }: { readonly parts: CheckIn['reasonParts']; readonly zone: string }) {
  return parts.map((part, index) => {
    // Pieces of one sentence, which stay where they are.
    if (typeof part === 'string') return <Fragment key={index}>{part}</Fragment>
    const { here, there } = clocksOf(Date.parse(part.time), zone)
    return (
      <time key={index} dateTime={part.time}>
        {there === null ? here : `${here} (${there})`}
      </time>
    )
  })
}

/** What a run wrote. */
function Log({ monitor, org, run }: { readonly org: string; readonly monitor: string; readonly run: string }) {
  const log = useQuery(logQuery(org, monitor, run))
  return (
    <Loaded
      query={log}
      compact
      outline={<SkeletonRows rows={3} label="Loading the log" />}
      failed="The log could not be loaded"
    >
      {({ text }) => <CodeBlock wrap title="What it wrote" code={text} />}
    </Loaded>
  )
}

import type { TimelineCell } from '@firsthand/contract'
import { cx } from '../../../lib/cx.ts'
import { formatDuration } from '../../../lib/format.ts'
import { Badge, ChevronDownIcon, IconButton, Link, VisibleText } from '../../../ui/index.ts'
import type { Entry } from '../model/entry.ts'
import { alertWords, dueWords, standingOf, subtitleOf } from '../model/words.ts'
import { LastRuns } from './LastRuns.tsx'
import styles from './MonitorRow.module.css'
import { Timeline } from './Timeline.tsx'

interface MonitorRowProps {
  readonly org: string
  readonly entry: Entry
  readonly cells: readonly TimelineCell[] | null
  readonly now: number
  readonly isOpen: boolean
  readonly onTurn: () => void
}

const STANDING_WORDS = {
  failing: 'needs you',
  late: 'late',
  running: 'running',
  quiet: 'as it should be',
  waiting: 'waits for its first check-in',
  off: 'switched off',
} as const

/** One monitor: how it stands, its runs, when it is due. Open, it shows the last runs and what one can do. */
export function MonitorRow({ cells, entry, isOpen, now, onTurn, org }: MonitorRowProps) {
  const { environment, monitor } = entry
  const standing = standingOf(monitor, environment)
  const due = dueWords(monitor, environment, now)
  const isOnly = monitor.environments.length < 2 && (environment === null || environment.name === 'production')
  return (
    <li className={cx(styles.entry, isOpen && styles.open)} data-row>
      <div className={styles.row}>
        <span className={styles.dot} data-standing={standing} role="img" aria-label={STANDING_WORDS[standing]} />
        <div className={styles.name}>
          <Link
            look="plain"
            className={styles.title}
            to="/organizations/$org/monitors/$monitor"
            params={{ org, monitor: monitor.id }}
            search={environment === null || isOnly ? {} : { environment: environment.name }}
          >
            <VisibleText text={monitor.name} />
          </Link>
          {isOnly || environment === null ? null : <Badge>{environment.name}</Badge>}
          <span className={styles.sub}>{subtitleOf(monitor)}</span>
          {monitor.configError === null ? null : (
            <span className={styles.problem}>The last configuration was not taken: {monitor.configError}</span>
          )}
        </div>
        <div className={styles.line}>
          <Timeline cells={cells} name={monitor.name} />
        </div>
        <span className={cx(styles.due, due.isLate && styles.late)}>{due.text}</span>
        <span className={styles.typical}>
          {environment?.typicalDuration == null ? '–' : formatDuration(environment.typicalDuration)}
        </span>
        <span className={styles.alert}>
          {alertWords(monitor, environment)}
          <IconButton
            icon={ChevronDownIcon}
            label={isOpen ? `Close ${monitor.name}` : `Show the last runs of ${monitor.name}`}
            aria-expanded={isOpen}
            className={cx(styles.turn, isOpen && styles.turned)}
            onClick={onTurn}
          />
        </span>
      </div>
      {isOpen && environment !== null ? <LastRuns org={org} monitor={monitor} environment={environment} /> : null}
    </li>
  )
}

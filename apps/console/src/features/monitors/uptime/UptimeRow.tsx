import type { TimelineCell, UptimeCheck } from '@firsthand/contract'
import { cx } from '../../../lib/cx.ts'
import { Link, RelativeTime, VisibleText } from '../../../ui/index.ts'
import rows from '../components/MonitorRow.module.css'
import { Timeline } from '../components/Timeline.tsx'
import styles from './UptimeRow.module.css'
import { untilWords } from '../model/words.ts'
import { certificateWords, isDown, uptimeAlert, uptimeSubtitle } from './words.ts'

interface UptimeRowProps {
  readonly org: string
  readonly check: UptimeCheck
  readonly cells: readonly TimelineCell[] | null
  readonly now: number
}

/** One address: how it stands, what it answered, when it is asked next. */
export function UptimeRow({ cells, check, now, org }: UptimeRowProps) {
  const down = isDown(check)
  const certificate = certificateWords(check, now)
  const next = check.nextCheck === null ? null : Date.parse(check.nextCheck) - now
  return (
    <li className={cx(rows.entry, down && rows.open)} data-row>
      <div className={rows.row}>
        <span
          className={rows.dot}
          data-standing={
            down ? 'failing' : certificate?.isSoon === true ? 'late' : check.status === 'disabled' ? 'off' : 'quiet'
          }
          role="img"
          aria-label={
            down
              ? 'down'
              : check.status === 'disabled'
                ? 'off'
                : check.uptimeStatus === 'active'
                  ? 'not asked yet'
                  : check.uptimeStatus
          }
        />
        <div className={rows.name}>
          <Link
            look="plain"
            className={rows.title}
            to="/organizations/$org/monitors/uptime/$check"
            params={{ org, check: check.id }}
          >
            <VisibleText text={check.name} />
          </Link>
          <span className={rows.sub}>
            {uptimeSubtitle(check)}
            {certificate === null ? null : (
              <>
                {' · '}
                <span className={certificate.isSoon ? styles.soon : undefined}>{certificate.text}</span>
              </>
            )}
          </span>
          {down && check.lastFailure !== null ? <span className={rows.problem}>{check.lastFailure}</span> : null}
        </div>
        <div className={rows.line}>
          <Timeline cells={cells} name={check.name} />
        </div>
        <span className={cx(rows.due, down && rows.late)}>
          {down && check.downSince !== null ? (
            <>
              down <RelativeTime form="age" time={check.downSince} />
            </>
          ) : next === null ? (
            'off'
          ) : (
            untilWords(next)
          )}
        </span>
        <span className={rows.typical}>{check.typicalMs === null ? '–' : `${check.typicalMs} ms`}</span>
        <span className={rows.alert}>{uptimeAlert(check)}</span>
      </div>
    </li>
  )
}

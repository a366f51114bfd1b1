import type { AlertRule } from '@firsthand/contract'

import { formatCount } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { cx } from '../../../lib/cx.ts'
import { Badge, Link, RelativeTime, VisibleText } from '../../../ui/index.ts'
import type { AlertChanges } from '../alert-changes.ts'
import { isMutedNow, standingOf } from '../model/decisions.ts'
import { type Names, plainSentence, sentenceOf } from '../model/sentence.ts'
import { AlertMenu } from './AlertMenu.tsx'
import styles from './AlertRow.module.css'

interface Props {
  readonly org: string
  readonly rule: AlertRule
  readonly names: Names
  readonly now: number
  readonly isCurrent: boolean
  readonly changes: AlertChanges
  readonly onPoint: () => void
  readonly onOpen: (id: string) => void
}

/** One rule: how it stands, what it watches, and what came of it. */
export function AlertRow({ org, rule, names, now, isCurrent, changes, onPoint, onOpen }: Props) {
  const standing = standingOf(rule, now)
  return (
    <li
      data-alert={rule.id}
      className={cx(styles.row, isCurrent && styles.current, !rule.isEnabled && styles.off)}
      onPointerDown={onPoint}
    >
      <span className={styles.state}>
        <Badge tone={standing.tone}>{standing.word}</Badge>
      </span>
      <div className={styles.about}>
        <Link
          look="plain"
          className={styles.name}
          to="/organizations/$org/alerts/$alert"
          params={{ org, alert: rule.id }}
          onFocus={onPoint}
        >
          <VisibleText text={rule.name} />
        </Link>
        <p className={styles.sentence}>
          <VisibleText text={plainSentence(sentenceOf(rule, names))} />
        </p>
        <MoreToSay rule={rule} now={now} />
      </div>
      <dl className={styles.facts}>
        <div className={styles.fact}>
          <dt>Last fired</dt>
          <dd>{rule.lastFired === null ? 'never' : <RelativeTime time={rule.lastFired} />}</dd>
        </div>
        <div className={styles.fact}>
          <dt>Messages, 7 days</dt>
          <dd>{formatCount(rule.messages)}</dd>
        </div>
        <div className={styles.fact}>
          <dt>Cost</dt>
          <dd>{costText(rule)}</dd>
        </div>
      </dl>
      <span className={styles.menu}>
        <AlertMenu rule={rule} now={now} changes={changes} onOpen={onOpen} />
      </span>
    </li>
  )
}

/** Why it stands so, until when it is muted, and that it is slowed down. */
function MoreToSay({ rule, now }: Pick<Props, 'rule' | 'now'>) {
  const muted =
    rule.isEnabled && isMutedNow(rule, now)
      ? `${rule.mutedUntil === null || rule.isMuted ? 'Muted' : `Muted until ${formatMoment('hour', Date.parse(rule.mutedUntil))}`}${rule.mutedBy === null ? '' : ` by ${rule.mutedBy.name}`}`
      : null
  const slowed =
    rule.cost?.isSlowed === true
      ? `It takes more than it may, so it is evaluated every ${rule.cost.everyMinutes} minutes`
      : null
  const said = [rule.stateReason, muted, slowed].filter((one) => one !== null)
  return said.length === 0 ? null : (
    <p className={styles.more}>{said.map((one) => `${one.replace(/\.$/, '')}.`).join(' ')}</p>
  )
}

/** What evaluating once takes. */
function costText({ cost }: AlertRule): string {
  if (cost === null || cost.evaluations === 0) return '–'
  const ms = cost.milliseconds
  const time = ms < 0.1 ? '< 0.1' : ms < 10 ? ms.toFixed(1) : formatCount(Math.round(ms))
  return `${time} ms, ${formatCount(cost.rows)} ${cost.rows === 1 ? 'row' : 'rows'}`
}

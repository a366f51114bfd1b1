import type { AlertDryRun } from '@firsthand/contract'

import { formatCount } from '../../../lib/format.ts'
import { PHONE, useMedia } from '../../../lib/use-media.ts'
import { VisuallyHidden } from '../../../ui/index.ts'
import { amountText, type Quantity, valueText } from '../model/quantities.ts'
import type { Scale } from '../model/chart.ts'
import styles from './Ladder.module.css'

/** Steps that stand closer than this could not be read. */
const APART = 19

type Step = AlertDryRun['ladder'][number]

/** The highest limit first, as they stand beside the chart. */
const ofScale = (run: AlertDryRun, scale: Scale): readonly Step[] =>
  run.ladder.filter(({ limit }) => limit <= scale.top && limit >= scale.bottom).toSorted((a, b) => b.limit - a.limit)

/** Those that neither lie over one another nor over what is said of the limit in force. */
function apart(steps: readonly Step[], scale: Scale, own: number): readonly Step[] {
  const kept: Step[] = []
  for (const step of steps) {
    const y = scale.y(step.limit)
    const above = kept.at(-1)
    if (Math.abs(y - own) >= APART && (above === undefined || y - scale.y(above.limit) >= APART)) kept.push(step)
  }
  return kept
}

/** What each other limit would have cost in messages; a press takes it. */
export function Ladder({
  run,
  scale,
  limit,
  quantity,
  disabled,
  onLimit,
}: {
  readonly run: AlertDryRun
  readonly scale: Scale
  readonly limit: number
  readonly quantity: Quantity
  readonly disabled: boolean
  readonly onLimit: (limit: number) => void
}) {
  // Beside the chart where there is room, below it on a phone.
  const isPhone = useMedia(PHONE)
  const most = Math.max(1, ...run.ladder.map(({ messages }) => messages))
  const own = scale.y(limit)
  const steps = isPhone ? ofScale(run, scale) : apart(ofScale(run, scale), scale, own)
  return (
    <div className={styles.ladder} style={isPhone ? undefined : { height: scale.height }}>
      <ul aria-label="Messages at other limits" className={styles.steps}>
        {steps.map((step) => (
          <li key={step.limit} className={styles.step} style={isPhone ? undefined : { top: scale.y(step.limit) }}>
            <button
              type="button"
              className={styles.button}
              disabled={disabled}
              title={`Take ${amountText(quantity, step.limit)} as the limit`}
              onClick={() => onLimit(step.limit)}
            >
              <span className={styles.value}>{valueText(quantity, step.limit)}</span>
              <span className={styles.bar} style={{ width: Math.max(2, (step.messages / most) * 44) }} />
              <span>
                {formatCount(step.messages)}
                <VisuallyHidden>{step.messages === 1 ? ' message' : ' messages'}</VisuallyHidden>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.own} style={isPhone ? undefined : { top: own }}>
        {formatCount(run.messages)} {run.messages === 1 ? 'message' : 'messages'}
      </p>
    </div>
  )
}

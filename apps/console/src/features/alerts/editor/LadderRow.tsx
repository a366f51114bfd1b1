import type { AlertDraft, AlertDryRun } from '@firsthand/contract'

import { formatCount } from '../../../lib/format.ts'
import { ladderChoices } from '../model/ladder.ts'
import styles from './LadderRow.module.css'

/** What other steps would have cost in messages, where they are no places on the chart. A press takes one. */
export function LadderRow({
  draft,
  run,
  disabled,
  onChange,
}: {
  readonly draft: AlertDraft
  readonly run: AlertDryRun
  readonly disabled: boolean
  readonly onChange: (part: Partial<AlertDraft>) => void
}) {
  const choices = ladderChoices(draft, run.ladder)
  if (choices.length === 0) return null
  return (
    <ul className={styles.row} aria-label="Messages at other limits">
      {choices.map(({ label, messages, isChosen, draft: next }) => (
        <li key={label}>
          <button
            type="button"
            className={styles.choice}
            aria-pressed={isChosen}
            disabled={disabled}
            onClick={() => onChange({ trigger: next.trigger })}
          >
            <b>{label}</b> {formatCount(messages)} {messages === 1 ? 'message' : 'messages'}
          </button>
        </li>
      ))}
    </ul>
  )
}

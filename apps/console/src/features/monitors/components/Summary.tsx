import { formatDuration } from '../../../lib/format.ts'
import { VisibleText } from '../../../ui/index.ts'
import type { Entry } from './MonitorsScreen.tsx'
import styles from './Summary.module.css'

/** How all of them stand, in one line. */
export function Summary({
  entries,
  failing,
  now,
}: {
  readonly entries: readonly Entry[]
  readonly failing: number
  readonly now: number
}) {
  const [next] = entries
    .flatMap(({ environment, monitor }) => {
      const due = Date.parse(environment?.nextCheckIn ?? '')
      return due > now ? [{ due, name: monitor.name }] : []
    })
    .toSorted((left, right) => left.due - right.due)
  return (
    <p className={styles.summary}>
      {failing === 0 ? null : (
        <>
          <strong className={styles.failing}>{failing === 1 ? '1 needs you' : `${failing} need you`}</strong>
          {' · '}
        </>
      )}
      {entries.length - failing} of {entries.length} as they should be
      {next === undefined ? null : (
        <>
          {' · next due '}
          <strong>
            <VisibleText text={next.name} />
          </strong>{' '}
          in {formatDuration(next.due - now)}
        </>
      )}
    </p>
  )
}

const LOOKS = [
  ['ok', 'ok'],
  ['late', 'late'],
  ['failed', 'failed, timed out'],
  ['missed', 'missed'],
  ['running', 'running'],
  ['unknown', 'unknown'],
] as const

export function Legend() {
  return (
    <ul className={styles.legend} aria-label="What bars mean">
      {LOOKS.map(([look, word]) => (
        <li key={look}>
          <span className={styles.swatch} data-look={look} aria-hidden="true" />
          {word}
        </li>
      ))}
    </ul>
  )
}

import { VisibleText } from '../../../ui/index.ts'
import type { Entry } from '../model/entry.ts'
import { type StandingCounts, standingWords } from '../model/standing-counts.ts'
import { untilWords } from '../model/words.ts'
import styles from './Summary.module.css'

/** How all of them stand, in one line. */
export function Summary({
  counts,
  entries,
  now,
}: {
  readonly counts: StandingCounts
  readonly entries: readonly Entry[]
  readonly now: number
}) {
  const [next] = entries
    .flatMap(({ environment, monitor }) => {
      const due = Date.parse(environment?.nextCheckIn ?? '')
      return due > now ? [{ due, name: monitor.name }] : []
    })
    .toSorted((left, right) => left.due - right.due)
  const { needSomebody } = counts
  return (
    <p className={styles.summary}>
      {needSomebody === 0 ? null : (
        <>
          <strong className={styles.failing}>{needSomebody === 1 ? '1 needs you' : `${needSomebody} need you`}</strong>
          {' · '}
        </>
      )}
      {standingWords(counts).join(' · ')}
      {next === undefined ? null : (
        <>
          {' · next due '}
          <strong>
            <VisibleText text={next.name} />
          </strong>{' '}
          {untilWords(next.due - now)}
        </>
      )}
    </p>
  )
}

const LOOKS = [
  ['ok', 'ok'],
  ['late', 'late'],
  ['failed', 'failed, down'],
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

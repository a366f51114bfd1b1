import { Kbd } from '../../../ui/index.ts'
import type { LogFeed } from '../log-feed.ts'
import { standingText } from '../model/standing.ts'
import styles from './LogHints.module.css'

const HINTS: readonly (readonly [readonly string[], string])[] = [
  [['j', 'k'], 'line'],
  [['o'], 'open'],
  [['t'], 'its trace'],
  [['e'], 'next error'],
  [['x'], 'leave out lines like this'],
  [['p'], 'hold the tail'],
  [['?'], 'all keys'],
]

/** The keys that one needs most, at the foot, and how the tail is. */
export function LogHints({
  feed,
  isLive,
  isHeld,
}: {
  readonly feed: LogFeed
  readonly isLive: boolean
  readonly isHeld: boolean
}) {
  return (
    <footer data-key-bar className={styles.foot}>
      <ul className={styles.hints}>
        {HINTS.map(([keys, what]) => (
          <li key={what} className={styles.hint}>
            {keys.map((key) => (
              <Kbd key={key} keys={key} />
            ))}
            {what}
          </li>
        ))}
      </ul>
      <span className={styles.said}>{standingText(feed, isLive, isHeld)}</span>
    </footer>
  )
}

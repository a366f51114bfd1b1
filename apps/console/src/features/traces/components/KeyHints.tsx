import { formatCount } from '../../../lib/format.ts'
import { Kbd } from '../../../ui/index.ts'
import type { TraceView } from '../trace-view.ts'
import styles from './KeyHints.module.css'

const HINTS: readonly (readonly [readonly string[], string])[] = [
  [['j', 'k'], 'row'],
  [['h', 'l'], 'fold, open'],
  [['e'], 'next error'],
  [['c'], 'critical path'],
  [['w', 's'], 'zoom'],
  [['a', 'd'], 'pan'],
  [['f'], 'fit the span'],
  [['/'], 'search'],
  [['?'], 'all keys'],
]

/** The keys that one needs most, at the foot, and how much of the trace is in rows. */
export function KeyHints({ view }: { readonly view: TraceView }) {
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
      <span className={styles.rows}>
        {formatCount(view.model.count)} {view.model.count === 1 ? 'span' : 'spans'} in {formatCount(view.rows.length)}{' '}
        {view.rows.length === 1 ? 'row' : 'rows'}
      </span>
    </footer>
  )
}

import { cx } from '../lib/cx.ts'
import styles from './LevelDot.module.css'

const KNOWN: ReadonlySet<string> = new Set(['fatal', 'error', 'warning', 'info', 'debug', 'ok'])

/** The level of an event as a dot in its colour, named for those who do not see colour. Unknown levels are neutral. */
export function LevelDot({ level, size = 7 }: { readonly level: string; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 8 8"
      role="img"
      aria-label={`Level: ${level}`}
      className={cx(styles.dot, KNOWN.has(level) && styles[level])}
    >
      <circle cx="4" cy="4" r="4" fill="currentColor" />
    </svg>
  )
}

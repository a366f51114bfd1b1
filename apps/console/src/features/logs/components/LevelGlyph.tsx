import type { LogLevel } from '@firsthand/contract'

import styles from './LevelGlyph.module.css'

/** A level as a shape first, so that nobody depends on its colour. The word stands beside it. */
export function LevelGlyph({ level }: { readonly level: LogLevel }) {
  return (
    <svg width="9" height="9" viewBox="0 0 9 9" aria-hidden="true" className={styles.glyph} data-level={level}>
      {shapeOf(level)}
    </svg>
  )
}

function shapeOf(level: LogLevel) {
  switch (level) {
    case 'fatal':
    case 'error':
      return <path d="M4.5 0 9 4.500 4.500 9 0 4.500z" fill="currentColor" />
    case 'warn':
      return <path d="M4.500 .6 9 8.400H0z" fill="currentColor" />
    case 'info':
      return <circle cx="4.500" cy="4.500" r="2.600" fill="currentColor" />
    case 'debug':
      return <circle cx="4.500" cy="4.500" r="2.200" fill="none" stroke="currentColor" />
    case 'trace':
      return <circle cx="4.500" cy="4.500" r="1.200" fill="currentColor" />
  }
}

import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import styles from './Badge.module.css'

export type Tone = 'neutral' | 'accent' | 'fatal' | 'error' | 'warning' | 'info' | 'ok'

/** A word on a soft ground: `New`, `Regressed`. Colour means level or the one accent, so most badges are neutral. */
export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  readonly tone?: Tone
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return <span className={cx(styles.badge, styles[tone], className)}>{children}</span>
}

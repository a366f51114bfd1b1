import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { ErrorIcon, InfoIcon, OkIcon, WarningIcon } from './icons.tsx'
import styles from './Notice.module.css'

const ICONS = { info: InfoIcon, ok: OkIcon, warning: WarningIcon, error: ErrorIcon } as const

/** A sentence that belongs to the form or panel around it. Errors are announced. */
export function Notice({
  tone = 'info',
  children,
}: {
  readonly tone?: 'info' | 'ok' | 'warning' | 'error'
  readonly children: ReactNode
}) {
  const Drawn = ICONS[tone]
  return (
    <div className={cx(styles.notice, styles[tone])} role={tone === 'error' ? 'alert' : undefined}>
      <Drawn className={styles.icon} />
      <div className={styles.text}>{children}</div>
    </div>
  )
}

import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'
import { CloseIcon, MoreIcon } from './icons.tsx'
import { Kbd } from './Kbd.tsx'
import { Menu } from './Menu.tsx'
import styles from './FloatBar.module.css'

export interface FloatBarProps {
  readonly label: string
  readonly count: number
  readonly busy: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** What can be done with the selected rows, floating above the end of a list. */
export function FloatBar({ label, count, busy, onClose, children }: FloatBarProps) {
  return (
    <div data-bulk-bar="" role="toolbar" aria-label={label} aria-busy={busy} className={styles.bar}>
      <span className={styles.count} role="status">
        {formatCount(count)} selected
      </span>
      {children}
      <button type="button" className={styles.close} aria-label="Clear the selection" onClick={onClose}>
        <CloseIcon size={14} />
      </button>
    </div>
  )
}

/** The actions for which a phone has no room; a `MenuItem` each. */
export function FloatBarMore({ children }: { readonly children: ReactNode }) {
  return (
    <Menu
      side="top"
      align="end"
      trigger={
        <button type="button" className={styles.close} aria-label="More">
          <MoreIcon />
        </button>
      }
    >
      {children}
    </Menu>
  )
}

/** One action of the bar; also the trigger of a menu. */
export function FloatBarButton({
  kbd,
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly kbd?: string }) {
  return (
    <button type="button" {...rest} className={styles.button}>
      {children} {kbd === undefined ? null : <Kbd keys={kbd} />}
    </button>
  )
}

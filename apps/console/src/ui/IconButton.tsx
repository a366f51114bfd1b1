import type { ButtonHTMLAttributes, Ref } from 'react'
import { cx } from '../lib/cx.ts'
import { Tooltip } from './Tooltip.tsx'
import type { Icon } from './icons.tsx'
import styles from './IconButton.module.css'

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  readonly ref?: Ref<HTMLButtonElement>
  readonly icon: Icon
  /** The name: read out, and shown as the tooltip. */
  readonly label: string
  readonly kbd?: string | undefined
  readonly size?: 'normal' | 'small'
  readonly bordered?: boolean
}

/** A square button that is only an icon; its name appears as a tooltip on hover and focus. */
export function IconButton({
  icon: Drawn,
  label,
  kbd,
  size = 'normal',
  bordered = false,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip content={label} kbd={kbd}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={cx(styles.button, size === 'small' && styles.small, bordered && styles.bordered, className)}
      >
        <Drawn size={size === 'small' ? 14 : 16} />
      </button>
    </Tooltip>
  )
}

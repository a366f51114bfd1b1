import { Checkbox as Base } from '@base-ui/react/checkbox'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { CheckIcon, MinusIcon } from './icons.tsx'
import styles from './Checkbox.module.css'

export interface CheckboxProps {
  readonly checked: boolean
  readonly onCheckedChange: (checked: boolean, event: Event) => void
  /** Some, not all: for "select all". */
  readonly indeterminate?: boolean
  readonly disabled?: boolean
  /** The visible text. Without it give `aria-label`. */
  readonly label?: ReactNode
  readonly help?: ReactNode
  readonly 'aria-label'?: string
  readonly className?: string | undefined
}

/** A square tick box with an optional text at its right. Its hit area is 24 px at least. */
export function Checkbox({ label, help, className, onCheckedChange, ...rest }: CheckboxProps) {
  const box = (
    <Base.Root
      {...rest}
      onCheckedChange={(checked, details) => onCheckedChange(checked, details.event)}
      className={styles.root}
    >
      <span className={styles.box}>
        <Base.Indicator className={styles.mark} keepMounted={false}>
          {rest.indeterminate === true ? <MinusIcon size={12} /> : <CheckIcon size={12} />}
        </Base.Indicator>
      </span>
    </Base.Root>
  )
  if (label === undefined) return box
  return (
    <label className={cx(styles.label, className)}>
      {box}
      <span>
        {label}
        {help === undefined ? null : <span className={styles.help}>{help}</span>}
      </span>
    </label>
  )
}

import { Field as Base } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import styles from './Field.module.css'

export interface FieldProps {
  readonly label: ReactNode
  /** Says what the value is for, before a mistake happens. */
  readonly help?: ReactNode
  /** Says what is wrong and what would be right; undefined while the value is fine. */
  readonly error?: string | undefined
  readonly optional?: boolean
  readonly hideLabel?: boolean
  /** The key of the value in the submitted form. */
  readonly name?: string
  readonly className?: string | undefined
  /** Among rows: the control has the whole width, under its label. */
  readonly wide?: boolean
  /** One kit control: Input, Textarea, Select, MultiCombobox, Checkbox … It is wired to label, help and error. */
  readonly children: ReactNode
}

/** A labelled control with its help and its error, tied together for assistive technology. */
export function Field({
  label,
  help,
  error,
  optional = false,
  hideLabel = false,
  name,
  className,
  wide = false,
  children,
}: FieldProps) {
  return (
    <Base.Root
      className={cx(styles.field, wide && styles.wide, className)}
      invalid={error !== undefined}
      {...(name !== undefined && { name })}
    >
      <Base.Label className={cx(styles.label, hideLabel && styles.hidden)}>
        {label}
        {optional ? <span className={styles.optional}> (optional)</span> : null}
      </Base.Label>
      <div className={styles.control}>
        {children}
        <Base.Error match={error !== undefined} className={styles.error}>
          {error}
        </Base.Error>
      </div>
      {help === undefined ? null : <Base.Description className={styles.help}>{help}</Base.Description>}
    </Base.Root>
  )
}

/** Stacks fields with the distance of a form. `rows`: label and help at the left, the control at the right, where there is room. */
export function FieldStack({ rows = false, children }: { readonly rows?: boolean; readonly children: ReactNode }) {
  return (
    <div className={cx(rows && styles.box)}>
      <div className={cx(styles.stack, rows && styles.rows)}>{children}</div>
    </div>
  )
}

import { Field as Base } from '@base-ui/react/field'
import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from 'react'
import { cx } from '../lib/cx.ts'
import type { Icon } from './icons.tsx'
import styles from './Input.module.css'

export interface InputProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'size' | 'onChange' | 'value' | 'defaultValue'
> {
  readonly ref?: Ref<HTMLInputElement>
  readonly value?: string
  readonly defaultValue?: string
  readonly onValueChange?: (value: string) => void
  /** Code, ids and queries are mono. */
  readonly mono?: boolean
  readonly icon?: Icon
  /** At the right, inside the border: a unit, a key cap, a button. */
  readonly trailing?: ReactNode
}

/** One line of text. Inside a `Field` it takes the field's label, help and error. */
export function Input({ mono = false, icon: Drawn, trailing, className, onValueChange, ...rest }: InputProps) {
  return (
    <span className={cx(styles.box, className)} data-control="">
      {Drawn ? <Drawn className={styles.icon} /> : null}
      <Base.Control
        autoComplete="off"
        spellCheck={false}
        {...rest}
        {...(onValueChange && { onValueChange: (value: string) => onValueChange(value) })}
        className={cx(styles.input, mono && styles.mono)}
      />
      {trailing}
    </span>
  )
}

export interface TextareaProps extends Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'onChange' | 'value' | 'defaultValue'
> {
  readonly ref?: Ref<HTMLTextAreaElement>
  readonly value?: string
  readonly defaultValue?: string
  readonly onValueChange?: (value: string) => void
  readonly mono?: boolean
}

/** Several lines of text; it grows with its content. */
export function Textarea({ mono = false, className, onValueChange, ref, value, defaultValue, ...rest }: TextareaProps) {
  return (
    <Base.Control
      {...(value !== undefined && { value })}
      {...(defaultValue !== undefined && { defaultValue })}
      {...(onValueChange && { onValueChange: (next: string) => onValueChange(next) })}
      render={
        <textarea
          rows={3}
          spellCheck={false}
          {...rest}
          ref={ref}
          className={cx(styles.area, mono && styles.mono, className)}
        />
      }
    />
  )
}

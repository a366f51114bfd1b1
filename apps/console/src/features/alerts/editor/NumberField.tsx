import { useState } from 'react'

import { Field, Input } from '../../../ui/index.ts'
import styles from './Variables.module.css'

interface Props {
  readonly label: string
  readonly help?: string
  readonly value: number | null
  /** Null when nothing is typed and that may be. */
  readonly onChange: (value: number | null) => void
  readonly unit?: string
  readonly min?: number
  readonly max?: number
  /** Whole numbers only. */
  readonly whole?: boolean
  readonly optional?: boolean
}

/** A number that is in force as soon as it is one. */
export function NumberField({ label, help, value, onChange, unit = '', optional = false, ...bounds }: Props) {
  const [text, setText] = useState(value === null ? '' : String(value))
  const [known, setKnown] = useState(value)
  // The handle on the chart moved it.
  if (known !== value) {
    setKnown(value)
    if (numberOf(text) !== value) setText(value === null ? '' : String(value))
  }
  const error = errorOf(text, optional, bounds)
  return (
    <Field label={label} optional={optional} error={error} {...(help !== undefined && { help })}>
      <Input
        inputMode={bounds.whole === true ? 'numeric' : 'decimal'}
        value={text}
        trailing={unit === '' ? undefined : <span className={styles.unit}>{unit}</span>}
        onValueChange={(next) => {
          setText(next)
          if (errorOf(next, optional, bounds) === undefined) onChange(numberOf(next))
        }}
      />
    </Field>
  )
}

function numberOf(text: string): number | null {
  const trimmed = text.trim().replace(',', '.')
  return trimmed === '' ? null : Number(trimmed)
}

function errorOf(
  text: string,
  optional: boolean,
  { min = -Infinity, max = Infinity, whole = false }: Pick<Props, 'min' | 'max' | 'whole'>,
): string | undefined {
  const value = numberOf(text)
  if (value === null) return optional ? undefined : 'Write a number.'
  if (!Number.isFinite(value) || (whole && !Number.isInteger(value)))
    return whole ? 'Write a whole number.' : 'Write a number, such as 2.5.'
  if (value < min) return `It must be at least ${min}.`
  if (value > max) return `It must be at most ${max}.`
  return undefined
}

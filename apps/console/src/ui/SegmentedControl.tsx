import { RadioGroup } from '@base-ui/react/radio-group'
import { Radio } from '@base-ui/react/radio'
import type { ReactNode } from 'react'
import styles from './SegmentedControl.module.css'

export interface SegmentedControlProps<Value extends string> {
  readonly value: Value
  readonly onValueChange: (value: Value) => void
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[]
  readonly 'aria-label': string
}

/** A choice of two to five short words that changes how the thing beside it is shown. Arrow keys move. */
export function SegmentedControl<Value extends string>({
  value,
  onValueChange,
  options,
  'aria-label': label,
}: SegmentedControlProps<Value>) {
  return (
    <RadioGroup aria-label={label} value={value} onValueChange={(next) => onValueChange(next)} className={styles.group}>
      {options.map((option) => (
        <Radio.Root key={option.value} value={option.value} className={styles.option}>
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}

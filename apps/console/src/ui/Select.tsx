import { Select as Base } from '@base-ui/react/select'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { CheckIcon, ChevronDownIcon } from './icons.tsx'
import popup from './popup.module.css'
import styles from './Select.module.css'

export interface SelectOption<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: ReactNode
  readonly disabled?: boolean
}

export interface SelectProps<Value extends string> {
  readonly value: Value
  readonly onValueChange: (value: Value) => void
  readonly options: readonly SelectOption<Value>[]
  /** Needed outside a `Field`. */
  readonly 'aria-label'?: string
  /** `field` fills the width of a form; `bar` is as wide as its text, for the top bar. */
  readonly look?: 'field' | 'bar'
  /** Shows `aria-label` before the value, where the bar has room: for values that do not say what they are about. */
  readonly named?: boolean
  readonly disabled?: boolean
  readonly className?: string | undefined
}

/** One of a few known values. For many or searchable ones take `MultiCombobox`. */
export function Select<Value extends string>({
  value,
  onValueChange,
  options,
  look = 'field',
  named = false,
  disabled = false,
  className,
  'aria-label': label,
}: SelectProps<Value>) {
  return (
    <Base.Root
      value={value}
      items={options}
      disabled={disabled}
      onValueChange={(next) => {
        if (next !== null) onValueChange(next)
      }}
    >
      <Base.Trigger
        aria-label={label}
        data-name={label}
        className={cx(styles.trigger, look === 'field' && styles.field, named && styles.named, className)}
      >
        <span className={styles.value}>
          <Base.Value />
        </span>
        <ChevronDownIcon size={14} className={styles.chevron} />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner alignItemWithTrigger={false} sideOffset={4} collisionPadding={8} className={popup.positioner}>
          <Base.Popup className={popup.popup}>
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                className={popup.item}
              >
                <span className={popup.text}>
                  <Base.ItemText>{option.label}</Base.ItemText>
                  {option.hint === undefined ? null : <span className={popup.hint}>{option.hint}</span>}
                </span>
                <span className={popup.mark}>
                  <Base.ItemIndicator>
                    <CheckIcon />
                  </Base.ItemIndicator>
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

import { Combobox as Base } from '@base-ui/react/combobox'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { CloseIcon } from './icons.tsx'
import input from './Input.module.css'
import { OptionItem } from './OptionItem.tsx'
import popup from './popup.module.css'
import styles from './MultiCombobox.module.css'

export interface ComboboxOption {
  readonly value: string
  readonly label: string
  readonly hint?: ReactNode
}

function List({ emptyText }: { readonly emptyText: string }) {
  return (
    <Base.Portal>
      <Base.Positioner sideOffset={4} collisionPadding={8} className={popup.positioner}>
        <Base.Popup className={popup.popup}>
          <Base.Empty className={popup.empty}>{emptyText}</Base.Empty>
          <Base.List>{(option: ComboboxOption) => <OptionItem key={option.value} option={option} />}</Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}

export interface MultiComboboxProps {
  readonly options: readonly ComboboxOption[]
  readonly placeholder?: string
  readonly 'aria-label'?: string
  /** Shown when nothing matches what was typed. */
  readonly emptyText?: string
  readonly disabled?: boolean
  readonly values: readonly string[]
  readonly onValuesChange: (values: readonly string[]) => void
}

/** Any number of values, each a chip that can be taken out again. */
export function MultiCombobox({
  values,
  onValuesChange,
  options,
  placeholder,
  emptyText = 'Nothing matches. Try fewer letters.',
  disabled = false,
  'aria-label': label,
}: MultiComboboxProps) {
  const chosen = values.map((value) => options.find((option) => option.value === value) ?? { value, label: value })
  return (
    <Base.Root
      multiple
      items={options}
      value={chosen}
      disabled={disabled}
      onValueChange={(next) => onValuesChange(next.map((option) => option.value))}
      isItemEqualToValue={(a, b) => a.value === b.value}
      autoHighlight
    >
      <Base.Chips className={cx(input.box, styles.chips)}>
        {chosen.map((option) => (
          <Base.Chip key={option.value} className={styles.chip} aria-label={option.label}>
            {option.label}
            <Base.ChipRemove aria-label={`Remove ${option.label}`} className={styles.remove}>
              <CloseIcon size={12} />
            </Base.ChipRemove>
          </Base.Chip>
        ))}
        <Base.Input aria-label={label} placeholder={chosen.length === 0 ? placeholder : ''} className={input.input} />
      </Base.Chips>
      <List emptyText={emptyText} />
    </Base.Root>
  )
}

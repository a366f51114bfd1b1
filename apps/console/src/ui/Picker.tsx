import { Combobox as Base } from '@base-ui/react/combobox'
import type { ReactElement, ReactNode } from 'react'

import { SearchIcon } from './icons.tsx'
import { OptionItem } from './OptionItem.tsx'
import popup from './popup.module.css'
import styles from './Picker.module.css'

export interface PickerOption {
  readonly value: string
  readonly label: string
  readonly hint?: string
  /** Before the label: an avatar. */
  readonly mark?: ReactNode
}

interface Shared {
  readonly options: readonly PickerOption[]
  /** Names the list and its search field: "Assign to". */
  readonly label: string
  readonly emptyText?: string
  /** The control that opens it; or `anchor`, when the control is one of many. */
  readonly trigger?: ReactElement<Record<string, unknown>>
  readonly anchor?: Element | null
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly align?: 'start' | 'center' | 'end'
  readonly side?: 'top' | 'bottom'
}

export interface PickerProps extends Shared {
  readonly value: string | null
  readonly onPick: (value: string) => void
}

export interface MultiPickerProps extends Shared {
  readonly values: readonly string[]
  readonly onValuesChange: (values: readonly string[]) => void
}

/** A button whose list is searched by typing: one value. */
export function Picker({ value, onPick, ...shared }: PickerProps) {
  const chosen = shared.options.find((option) => option.value === value) ?? null
  return (
    <Base.Root
      items={shared.options}
      value={chosen}
      isItemEqualToValue={(a: PickerOption, b: PickerOption) => a.value === b.value}
      autoHighlight
      {...opening(shared)}
      onValueChange={(next) => {
        if (next !== null) onPick(next.value)
      }}
    >
      <Parts {...shared} />
    </Base.Root>
  )
}

/** The same for any number of values; it stays open. */
export function MultiPicker({ values, onValuesChange, ...shared }: MultiPickerProps) {
  const chosen = values.map(
    (value) => shared.options.find((option) => option.value === value) ?? { value, label: value },
  )
  return (
    <Base.Root
      multiple
      items={shared.options}
      value={chosen}
      isItemEqualToValue={(a: PickerOption, b: PickerOption) => a.value === b.value}
      {...opening(shared)}
      onValueChange={(next) => onValuesChange(next.map((option) => option.value))}
    >
      <Parts {...shared} />
    </Base.Root>
  )
}

function opening({ open, onOpenChange }: Shared) {
  return {
    ...(open !== undefined && { open }),
    ...(onOpenChange && { onOpenChange: (next: boolean) => onOpenChange(next) }),
  }
}

function Parts({ label, emptyText = 'Nothing matches.', trigger, anchor, align = 'start', side = 'bottom' }: Shared) {
  return (
    <>
      {trigger === undefined ? null : <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Positioner
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={popup.positioner}
          {...(anchor === undefined ? {} : { anchor })}
        >
          <Base.Popup className={`${popup.popup} ${styles.popup}`} aria-label={label}>
            <span className={styles.search}>
              <SearchIcon className={styles.icon} />
              <Base.Input aria-label={label} placeholder={label} className={styles.input} />
            </span>
            <Base.Empty className={popup.empty}>{emptyText}</Base.Empty>
            <Base.List className={styles.list}>
              {(option: PickerOption) => <OptionItem key={option.value} option={option} hintStyle={styles.hint} />}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </>
  )
}

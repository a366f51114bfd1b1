import { Combobox as Base } from '@base-ui/react/combobox'
import type { ReactNode } from 'react'
import { CheckIcon } from './icons.tsx'
import popup from './popup.module.css'
import { cx } from '../lib/cx.ts'

/** One line of a list that is searched by typing: what it is, a hint, and a check when it is chosen. */
export function OptionItem({
  option,
  hintStyle,
}: {
  readonly option: {
    readonly value: string
    readonly label: string
    readonly hint?: ReactNode
    readonly mark?: ReactNode
  }
  readonly hintStyle?: string | undefined
}) {
  return (
    <Base.Item value={option} className={popup.item}>
      {option.mark}
      <span className={popup.text}>
        {option.label}
        {option.hint === undefined ? null : <span className={cx(popup.hint, hintStyle)}>{option.hint}</span>}
      </span>
      <span className={popup.mark}>
        <Base.ItemIndicator>
          <CheckIcon />
        </Base.ItemIndicator>
      </span>
    </Base.Item>
  )
}

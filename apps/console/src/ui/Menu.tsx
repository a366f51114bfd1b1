import { Menu as Base } from '@base-ui/react/menu'
import { type ReactElement, type ReactNode, type RefObject, useContext } from 'react'
import { cx } from '../lib/cx.ts'
import { CheckIcon, type Icon } from './icons.tsx'
import { Kbd } from './Kbd.tsx'
import { Pinned } from './pinned.ts'
import popup from './popup.module.css'

export interface MenuProps {
  /** The control that opens it: one Button or IconButton. */
  readonly trigger: ReactElement<Record<string, unknown>>
  readonly align?: 'start' | 'center' | 'end'
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  /** Where the list stands in the document, so that it belongs to that landmark; the end of the page by default. */
  readonly container?: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/** A list of actions under a button. Arrow keys, type-ahead and Escape work by themselves. */
export function Menu({
  trigger,
  align = 'start',
  side = 'bottom',
  children,
  open,
  onOpenChange,
  container,
}: MenuProps) {
  const isPinned = useContext(Pinned)
  return (
    <Base.Root
      {...(open !== undefined && { open })}
      {...(onOpenChange && { onOpenChange: (next: boolean) => onOpenChange(next) })}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal container={container}>
        <Base.Positioner
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          // Nothing that scrolls around the container cuts it off, and a list of a button that stays does not leave it.
          positionMethod={container !== undefined || isPinned ? 'fixed' : 'absolute'}
          className={popup.positioner}
        >
          <Base.Popup className={popup.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export interface MenuItemProps {
  readonly onSelect: () => void
  readonly icon?: Icon
  readonly kbd?: string
  readonly hint?: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly children: ReactNode
}

/** One action. */
export function MenuItem({
  onSelect,
  icon: Drawn,
  kbd,
  hint,
  danger = false,
  disabled = false,
  children,
}: MenuItemProps) {
  return (
    <Base.Item className={cx(popup.item, danger && popup.danger)} disabled={disabled} onClick={onSelect}>
      {Drawn ? <Drawn className={popup.icon} /> : null}
      <span className={popup.text}>
        {children}
        {hint === undefined ? null : <span className={popup.hint}>{hint}</span>}
      </span>
      {kbd === undefined ? null : <Kbd keys={kbd} />}
    </Base.Item>
  )
}

/** A choice of one: `<MenuRadioGroup value onValueChange>` around `MenuRadioItem`s. */
export function MenuRadioGroup<Value extends string>({
  value,
  onValueChange,
  label,
  children,
}: {
  readonly value: Value
  readonly onValueChange: (value: Value) => void
  readonly label?: string
  readonly children: ReactNode
}) {
  return (
    <Base.Group>
      {label === undefined ? null : <Base.GroupLabel className={popup.groupLabel}>{label}</Base.GroupLabel>}
      <Base.RadioGroup value={value} onValueChange={(next: Value) => onValueChange(next)}>
        {children}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export function MenuRadioItem({
  value,
  icon: Drawn,
  children,
}: {
  readonly value: string
  readonly icon?: Icon
  readonly children: ReactNode
}) {
  return (
    <Base.RadioItem value={value} className={popup.item} closeOnClick>
      {Drawn ? <Drawn className={popup.icon} /> : null}
      <span className={popup.text}>{children}</span>
      <span className={popup.mark}>
        <Base.RadioItemIndicator>
          <CheckIcon />
        </Base.RadioItemIndicator>
      </span>
    </Base.RadioItem>
  )
}

/** A titled part of a menu. */
export function MenuGroup({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className={popup.groupLabel}>{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  )
}

export function MenuSeparator() {
  return <Base.Separator className={popup.separator} />
}

import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ChevronDownIcon, FilterIcon } from './icons.tsx'
import styles from './Filters.module.css'

/** Opens a filter and says what is chosen. The trigger of a `Picker` or `MultiPicker`, which gives it the rest. */
export function FilterButton({
  name,
  text,
  className,
  ...rest
}: {
  readonly name: string
  readonly text: string
  readonly className?: string
}) {
  return (
    <Button {...rest} aria-label={`${name}: ${text}`} data-name={name} className={className}>
      <span className={styles.words}>{text}</span>
      <ChevronDownIcon size={14} className={styles.chevron} />
    </Button>
  )
}

/** The one that is chosen, or how many are. */
export function filterText(names: readonly string[], none: string, many: string): string {
  const first = names[0]
  if (first === undefined) return none
  return names.length === 1 ? first : `${names.length} ${many}`
}

/** Where there is no room for them, filters wait in a sheet. */
export function FilterSheet({
  active,
  done,
  className,
  children,
}: {
  /** How many filters are set. */
  readonly active: number
  /** What the button says that closes it: "Show issues". */
  readonly done: string
  /** Of the button that opens it: hides it where the bar has room. */
  readonly className: string | undefined
  readonly children: ReactNode
}) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Filters"
      size="small"
      trigger={
        <Button icon={FilterIcon} className={className}>
          {active === 0 ? 'Filters' : `Filters (${active})`}
        </Button>
      }
      footer={
        <Button variant="primary" onClick={() => setOpen(false)}>
          {done}
        </Button>
      }
    >
      <div className={styles.sheet}>{children}</div>
    </Dialog>
  )
}

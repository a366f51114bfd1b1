import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'
import { PHONE, useMedia } from '../lib/use-media.ts'
import { CloseIcon, MoreIcon, TrashIcon } from './icons.tsx'
import { Kbd } from './Kbd.tsx'
import { Menu, MenuItem } from './Menu.tsx'
import { Pinned } from './pinned.ts'
import styles from './FloatBar.module.css'

export interface FloatBarProps {
  /** What the rows are: "issues". */
  readonly things: string
  readonly count: number
  readonly busy: boolean
  /** The button is where the list of people opens. Without it nobody looks after such rows. */
  readonly onAssign?: (button: Element) => void
  readonly mayMerge?: boolean
  /** Without it such rows are not merged. */
  readonly onMerge?: () => void
  readonly mayDelete: boolean
  readonly onDelete: () => void
  readonly onClose: () => void
  /** Actions for which a phone has no room; a `MenuItem` each. */
  readonly more?: ReactNode
  /** The list's own actions; a `FloatBarButton` each. */
  readonly children?: ReactNode
}

/** What can be done with the selected rows, floating above the end of a list: its own actions, then what every list has. */
export function FloatBar(props: FloatBarProps) {
  const { things, count, busy, onAssign, onClose, children } = props
  const isPhone = useMedia(PHONE)
  return (
    <Pinned value={true}>
      <div
        data-bulk-bar=""
        role="toolbar"
        aria-label={`Change selected ${things}`}
        aria-busy={busy}
        className={styles.bar}
      >
        <span className={styles.count} role="status">
          {formatCount(count)} selected
        </span>
        {children}
        {onAssign === undefined ? null : (
          <FloatBarButton data-assign-selected="" kbd="a" onClick={(event) => onAssign(event.currentTarget)}>
            Assign
          </FloatBarButton>
        )}
        {isPhone ? <InMenu {...props} /> : <MergeAndDelete {...props} />}
        <button type="button" className={styles.close} aria-label="Clear the selection" onClick={onClose}>
          <CloseIcon size={14} />
        </button>
      </div>
    </Pinned>
  )
}

function MergeAndDelete({ things, mayMerge = false, onMerge, mayDelete, onDelete }: FloatBarProps) {
  return (
    <>
      {onMerge === undefined ? null : (
        <FloatBarButton
          kbd="m"
          aria-disabled={!mayMerge}
          title={mayMerge ? undefined : `Select two ${things} or more of one project`}
          onClick={mayMerge ? onMerge : undefined}
        >
          Merge
        </FloatBarButton>
      )}
      {mayDelete ? (
        <FloatBarButton kbd="⌫" onClick={onDelete}>
          Delete
        </FloatBarButton>
      ) : null}
    </>
  )
}

/** The same on a phone, behind one button. */
function InMenu({ more, mayMerge = false, onMerge, mayDelete, onDelete }: FloatBarProps) {
  return (
    <Menu
      side="top"
      align="end"
      trigger={
        <button type="button" className={styles.close} aria-label="More">
          <MoreIcon />
        </button>
      }
    >
      {more}
      {onMerge === undefined ? null : (
        <MenuItem disabled={!mayMerge} onSelect={onMerge}>
          Merge
        </MenuItem>
      )}
      {mayDelete ? (
        <MenuItem icon={TrashIcon} danger onSelect={onDelete}>
          Delete
        </MenuItem>
      ) : null}
    </Menu>
  )
}

/** One action of the bar; also the trigger of a menu. */
export function FloatBarButton({
  kbd,
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly kbd?: string }) {
  return (
    <button type="button" {...rest} className={styles.button}>
      {children} {kbd === undefined ? null : <Kbd keys={kbd} />}
    </button>
  )
}

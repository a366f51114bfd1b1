import { formatCount } from '../../../lib/format.ts'
import { CloseIcon, Kbd, Menu } from '../../../ui/index.ts'
import { ArchiveItems, ResolveItems, type StatusChoice } from './StatusMenus.tsx'
import styles from './BulkBar.module.css'

export interface BulkBarProps {
  readonly count: number
  readonly busy: boolean
  readonly mayDelete: boolean
  readonly isArchived: boolean
  readonly onStatus: (choice: StatusChoice) => void
  /** The button is where the list of people opens. */
  readonly onAssign: (button: Element) => void
  readonly mayMerge: boolean
  readonly onMerge: () => void
  readonly onDelete: () => void
  readonly onClose: () => void
}

/** What can be done with the selected issues, floating above the end of the list. */
export function BulkBar({
  count,
  busy,
  mayDelete,
  isArchived,
  onStatus,
  onAssign,
  mayMerge,
  onMerge,
  onDelete,
  onClose,
}: BulkBarProps) {
  return (
    <div data-bulk-bar="" role="toolbar" aria-label="Change selected issues" aria-busy={busy} className={styles.bar}>
      <span className={styles.count} role="status">
        {formatCount(count)} selected
      </span>
      <Menu
        side="top"
        trigger={
          <button type="button" className={styles.button}>
            Resolve <Kbd keys="e" />
          </button>
        }
      >
        <ResolveItems onChoose={onStatus} />
      </Menu>
      {isArchived ? (
        <button
          type="button"
          className={styles.button}
          onClick={() => onStatus({ change: { status: 'unresolved' }, done: 'reopened' })}
        >
          Unarchive <Kbd keys="i" />
        </button>
      ) : (
        <Menu
          side="top"
          trigger={
            <button type="button" className={styles.button}>
              Archive <Kbd keys="i" />
            </button>
          }
        >
          <ArchiveItems onChoose={onStatus} />
        </Menu>
      )}
      <button
        type="button"
        data-assign-selected=""
        className={styles.button}
        onClick={(event) => onAssign(event.currentTarget)}
      >
        Assign <Kbd keys="a" />
      </button>
      <button
        type="button"
        className={styles.button}
        aria-disabled={!mayMerge}
        title={mayMerge ? undefined : 'Select two issues or more of one project'}
        onClick={mayMerge ? onMerge : undefined}
      >
        Merge <Kbd keys="m" />
      </button>
      {mayDelete ? (
        <button type="button" className={styles.button} onClick={onDelete}>
          Delete <Kbd keys="⌫" />
        </button>
      ) : null}
      <button type="button" className={styles.close} aria-label="Clear the selection" onClick={onClose}>
        <CloseIcon size={14} />
      </button>
    </div>
  )
}

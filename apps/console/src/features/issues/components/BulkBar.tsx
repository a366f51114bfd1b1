import { PHONE, useMedia } from '../../../lib/use-media.ts'
import { FloatBar, FloatBarButton, FloatBarMore, Menu, MenuItem, TrashIcon } from '../../../ui/index.ts'
import { ArchiveItems, ResolveItems, type StatusChoice } from './StatusMenus.tsx'

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

/** What can be done with the selected issues. */
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
  const isPhone = useMedia(PHONE)
  return (
    <FloatBar label="Change selected issues" count={count} busy={busy} onClose={onClose}>
      <Menu side="top" trigger={<FloatBarButton kbd="e">Resolve</FloatBarButton>}>
        <ResolveItems onChoose={onStatus} />
      </Menu>
      {isArchived ? (
        <FloatBarButton kbd="i" onClick={() => onStatus({ change: { status: 'unresolved' }, done: 'reopened' })}>
          Unarchive
        </FloatBarButton>
      ) : (
        <Menu side="top" trigger={<FloatBarButton kbd="i">Archive</FloatBarButton>}>
          <ArchiveItems onChoose={onStatus} />
        </Menu>
      )}
      <FloatBarButton data-assign-selected="" kbd="a" onClick={(event) => onAssign(event.currentTarget)}>
        Assign
      </FloatBarButton>
      {isPhone ? (
        <FloatBarMore>
          <MenuItem disabled={!mayMerge} onSelect={onMerge}>
            Merge
          </MenuItem>
          {mayDelete ? (
            <MenuItem icon={TrashIcon} danger onSelect={onDelete}>
              Delete
            </MenuItem>
          ) : null}
        </FloatBarMore>
      ) : (
        <>
          <FloatBarButton
            kbd="m"
            aria-disabled={!mayMerge}
            title={mayMerge ? undefined : 'Select two issues or more of one project'}
            onClick={mayMerge ? onMerge : undefined}
          >
            Merge
          </FloatBarButton>
          {mayDelete ? (
            <FloatBarButton kbd="⌫" onClick={onDelete}>
              Delete
            </FloatBarButton>
          ) : null}
        </>
      )}
    </FloatBar>
  )
}

import { FloatBar, FloatBarButton, type FloatBarProps, Menu } from '../../../ui/index.ts'
import { ArchiveItems, REOPEN, ResolveItems, type StatusChoice } from './StatusMenus.tsx'

export interface BulkBarProps extends Omit<FloatBarProps, 'things' | 'more' | 'children'> {
  readonly isArchived: boolean
  readonly isResolved: boolean
  readonly onStatus: (choice: StatusChoice) => void
}

/** What can be done with the selected issues. */
export function BulkBar({ isArchived, isResolved, onStatus, ...bar }: BulkBarProps) {
  return (
    <FloatBar {...bar} things="issues">
      {isResolved ? (
        <FloatBarButton kbd="e" onClick={() => onStatus(REOPEN)}>
          Reopen
        </FloatBarButton>
      ) : (
        <Menu side="top" trigger={<FloatBarButton kbd="e">Resolve</FloatBarButton>}>
          <ResolveItems onChoose={onStatus} />
        </Menu>
      )}
      {isArchived ? (
        <FloatBarButton kbd="i" onClick={() => onStatus(REOPEN)}>
          Unarchive
        </FloatBarButton>
      ) : (
        <Menu side="top" trigger={<FloatBarButton kbd="i">Archive</FloatBarButton>}>
          <ArchiveItems onChoose={onStatus} />
        </Menu>
      )}
    </FloatBar>
  )
}

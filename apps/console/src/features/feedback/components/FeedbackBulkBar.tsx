import type { FeedbackChange } from '@firsthand/contract'

import { PHONE, useMedia } from '../../../lib/use-media.ts'
import { FloatBar, FloatBarButton, FloatBarMore, MenuItem, TrashIcon } from '../../../ui/index.ts'
import type { BulkChoices } from '../model/report.ts'

/** What can be done with the selected reports. */
export function FeedbackBulkBar({
  count,
  busy,
  choices,
  mayMerge,
  mayDelete,
  onChange,
  onMerge,
  onAssign,
  onDelete,
  onClose,
}: {
  readonly count: number
  readonly busy: boolean
  /** What the buttons say follows from the selected reports, as the keys do. */
  readonly choices: BulkChoices
  readonly mayMerge: boolean
  readonly mayDelete: boolean
  readonly onChange: (change: FeedbackChange) => void
  readonly onMerge: () => void
  /** The button is where the list of people opens. */
  readonly onAssign: (button: Element) => void
  readonly onDelete: () => void
  readonly onClose: () => void
}) {
  const isPhone = useMedia(PHONE)
  const { allDone, allArchived, isSpam, hasUnread } = choices
  return (
    <FloatBar label="Change selected reports" count={count} busy={busy} onClose={onClose}>
      {allDone ? (
        <FloatBarButton onClick={() => onChange({ status: 'open' })}>Reopen</FloatBarButton>
      ) : (
        <FloatBarButton kbd="e" onClick={() => onChange({ status: 'resolved' })}>
          Resolve
        </FloatBarButton>
      )}
      <FloatBarButton kbd="s" onClick={() => onChange({ status: isSpam ? 'open' : 'spam' })}>
        {isSpam ? 'Not spam' : 'Spam'}
      </FloatBarButton>
      {isPhone || allArchived ? null : (
        <FloatBarButton kbd="i" onClick={() => onChange({ status: 'archived' })}>
          Archive
        </FloatBarButton>
      )}
      {isPhone ? null : (
        <FloatBarButton kbd="u" onClick={() => onChange({ isRead: hasUnread })}>
          {hasUnread ? 'Read' : 'Unread'}
        </FloatBarButton>
      )}
      <FloatBarButton data-assign-selected="" kbd="a" onClick={(event) => onAssign(event.currentTarget)}>
        Assign
      </FloatBarButton>
      {isPhone ? (
        <FloatBarMore>
          {allArchived ? null : <MenuItem onSelect={() => onChange({ status: 'archived' })}>Archive</MenuItem>}
          <MenuItem onSelect={() => onChange({ isRead: hasUnread })}>
            {hasUnread ? 'Mark as read' : 'Mark as unread'}
          </MenuItem>
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
            title={mayMerge ? undefined : 'Select two reports or more of one project'}
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

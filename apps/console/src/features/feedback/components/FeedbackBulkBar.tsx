import type { FeedbackChange } from '@firsthand/contract'

import { FloatBar, FloatBarButton } from '../../../ui/index.ts'
import type { Mailbox } from '../model/inbox-search.ts'

/** What can be done with the selected reports. */
export function FeedbackBulkBar({
  count,
  busy,
  mailbox,
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
  readonly mailbox: Mailbox
  readonly mayMerge: boolean
  readonly mayDelete: boolean
  readonly onChange: (change: FeedbackChange) => void
  readonly onMerge: () => void
  /** The button is where the list of people opens. */
  readonly onAssign: (button: Element) => void
  readonly onDelete: () => void
  readonly onClose: () => void
}) {
  const reopens = mailbox === 'resolved' || mailbox === 'archived'
  return (
    <FloatBar label="Change selected reports" count={count} busy={busy} onClose={onClose}>
      {reopens ? (
        <FloatBarButton onClick={() => onChange({ status: 'open' })}>Reopen</FloatBarButton>
      ) : (
        <FloatBarButton kbd="e" onClick={() => onChange({ status: 'resolved' })}>
          Resolve
        </FloatBarButton>
      )}
      <FloatBarButton kbd="s" onClick={() => onChange({ status: mailbox === 'spam' ? 'open' : 'spam' })}>
        {mailbox === 'spam' ? 'Not spam' : 'Spam'}
      </FloatBarButton>
      {mailbox === 'archived' ? null : (
        <FloatBarButton kbd="i" onClick={() => onChange({ status: 'archived' })}>
          Archive
        </FloatBarButton>
      )}
      <FloatBarButton kbd="u" onClick={() => onChange({ isRead: mailbox === 'unread' })}>
        {mailbox === 'unread' ? 'Read' : 'Unread'}
      </FloatBarButton>
      <FloatBarButton data-assign-selected="" kbd="a" onClick={(event) => onAssign(event.currentTarget)}>
        Assign
      </FloatBarButton>
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
    </FloatBar>
  )
}

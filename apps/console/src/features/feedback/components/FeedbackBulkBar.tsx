import type { FeedbackChange } from '@firsthand/contract'

import { PHONE, useMedia } from '../../../lib/use-media.ts'
import { FloatBar, FloatBarButton, type FloatBarProps, MenuItem } from '../../../ui/index.ts'
import type { BulkChoices } from '../model/report.ts'

export interface FeedbackBulkBarProps extends Omit<FloatBarProps, 'things' | 'more' | 'children'> {
  /** What the buttons say follows from the selected reports, as the keys do. */
  readonly choices: BulkChoices
  readonly onChange: (change: FeedbackChange) => void
}

/** What can be done with the selected reports. */
export function FeedbackBulkBar({ choices, onChange, ...bar }: FeedbackBulkBarProps) {
  const isPhone = useMedia(PHONE)
  const { allDone, allArchived, isSpam, hasUnread } = choices
  const archive = () => onChange({ status: 'archived' })
  const read = () => onChange({ isRead: hasUnread })
  return (
    <FloatBar
      {...bar}
      things="reports"
      more={
        <>
          {allArchived ? null : <MenuItem onSelect={archive}>Archive</MenuItem>}
          <MenuItem onSelect={read}>{hasUnread ? 'Mark as read' : 'Mark as unread'}</MenuItem>
        </>
      }
    >
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
        <FloatBarButton kbd="i" onClick={archive}>
          Archive
        </FloatBarButton>
      )}
      {isPhone ? null : (
        <FloatBarButton kbd="u" onClick={read}>
          {hasUnread ? 'Read' : 'Unread'}
        </FloatBarButton>
      )}
    </FloatBar>
  )
}

import { AlertDialog } from '../../../ui/index.ts'
import { AssigneePickerAt } from '../../issues/index.ts'
import type { InboxChanges } from '../inbox-changes.ts'
import type { InboxWork } from '../inbox-work.ts'
import { bulkChoices } from '../model/report.ts'
import { FeedbackBulkBar } from './FeedbackBulkBar.tsx'

/** What opens over the inbox: the bar for selected reports, the list of people, the question before deleting. */
export function InboxDialogs({ work, changes }: { readonly work: InboxWork; readonly changes: InboxChanges }) {
  const { actions, assigning, chosen, deleting, known, org, selected, setAssigning, setDeleting } = work
  const hasSelection = selected.size > 0
  const ids = work.target()
  return (
    <>
      {hasSelection && changes.mayWrite ? (
        <FeedbackBulkBar
          count={selected.size}
          busy={actions.busy}
          choices={bulkChoices(chosen)}
          mayMerge={changes.mayMerge}
          mayDelete={changes.mayDelete}
          onChange={changes.apply}
          onMerge={changes.merge}
          onAssign={setAssigning}
          onDelete={() => setDeleting(true)}
          onClose={work.clear}
        />
      ) : null}
      <AssigneePickerAt
        org={org}
        assignedTo={ids.length === 1 ? known.find((row) => row.id === ids[0])?.assignedTo : undefined}
        anchor={assigning}
        inBulkBar={hasSelection}
        onClose={() => setAssigning(null)}
        onAssign={({ assignedTo }) => {
          setAssigning(null)
          changes.assign(assignedTo)
        }}
      />
      <AlertDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={ids.length > 1 ? `Delete ${ids.length} reports?` : 'Delete this report?'}
        description="Its pictures, notes and the conversation with the reporter go with it. This cannot be undone."
        confirmLabel="Delete"
        busy={actions.busy}
        onConfirm={changes.remove}
      />
    </>
  )
}

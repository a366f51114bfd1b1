import { formatCount } from '../../../lib/format.ts'
import { NOTHING } from '../../../lib/selection.ts'
import { lazyPart } from '../../../ui/index.ts'
import type { StreamChanges } from '../stream-changes.ts'
import { timeOf } from '../model/stream-search.ts'
import type { StreamWork } from '../stream-work.ts'
import { AssigneePickerAt } from './AssigneePicker.tsx'
import { BulkBar } from './BulkBar.tsx'
import { BulkPreview } from './BulkPreview.tsx'
import { DeleteIssuesDialog } from './DeleteIssuesDialog.tsx'

const IssuePeek = lazyPart(() => import('../../issue/index.ts').then((module) => module.IssuePeek))

/** What opens over the list: the bar for selected rows, the list of people, the question before deleting. */
export function StreamDialogs({
  work,
  changes,
  move,
}: {
  readonly work: StreamWork
  readonly changes: StreamChanges
  /** The keyboard goes so many rows down. */
  readonly move: (step: number) => void
}) {
  const { actions, assigning, deleting, issues, org, search, selectedCount, selection, setAssigning, setDeleting } =
    work
  const peeked = work.peeking ? issues[work.currentIndex] : undefined
  const assigned = assigning?.ids?.length === 1 ? issues.find((issue) => issue.id === assigning.ids?.[0]) : undefined
  return (
    <>
      {selectedCount > 0 && changes.mayWrite ? (
        <BulkBar
          count={selectedCount}
          busy={actions.busy}
          mayDelete={changes.mayDelete}
          isArchived={changes.isArchived}
          isResolved={changes.isResolved}
          onStatus={changes.setStatus}
          mayMerge={changes.mayMerge}
          onMerge={changes.merge}
          onDelete={() => setDeleting(true)}
          onClose={() => work.setSelection(NOTHING)}
          onAssign={(button) => changes.askAssignee(button, null)}
        />
      ) : null}
      <AssigneePickerAt
        org={org}
        assignedTo={assigned?.assignedTo}
        anchor={assigning?.anchor ?? null}
        inBulkBar={assigning?.ids === null}
        onClose={() => setAssigning(null)}
        onAssign={changes.assign}
      />
      <DeleteIssuesDialog
        open={deleting}
        onOpenChange={setDeleting}
        what={selectedCount > 1 ? `${formatCount(selectedCount)} issues` : '1 issue'}
        scope={selection.kind === 'all' ? 'matching' : selectedCount > 1 ? 'several' : 'one'}
        busy={actions.busy}
        onConfirm={changes.remove}
      />
      {work.bulk === null ? null : (
        <BulkPreview
          key={work.bulk.askedAt}
          org={org}
          bulk={work.bulk}
          onClose={() => work.setBulk(null)}
          onDone={() => work.leave(work.order)}
        />
      )}
      {peeked === undefined ? null : (
        <IssuePeek
          org={org}
          issue={peeked}
          time={timeOf(search)}
          environment={search.environment}
          onClose={() => work.setPeeking(false)}
          onOpen={() => work.open(peeked.id)}
          onMove={move}
        />
      )}
    </>
  )
}

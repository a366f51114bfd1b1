import { AlertDialog, type AlertDialogProps } from '../../../ui/index.ts'

/** Asks before issues are deleted. */
export function DeleteIssuesDialog({
  what,
  scope,
  ...dialog
}: Pick<AlertDialogProps, 'open' | 'onOpenChange' | 'busy' | 'onConfirm'> & {
  /** "SHOP-4K", "3 issues". */
  readonly what: string
  /** `matching`: everything that the search finds, also what is not loaded. */
  readonly scope: 'one' | 'several' | 'matching'
}) {
  return <AlertDialog {...dialog} title={`Delete ${what}?`} description={DESCRIPTIONS[scope]} confirmLabel="Delete" />
}

const DESCRIPTIONS = {
  one: 'Its events are deleted as well. New events of the same kind open a new issue. For a short while this can be undone.',
  several:
    'Their events are deleted as well. New events of the same kind open new issues. For a short while this can be undone.',
  matching:
    'Everything that matches the search is deleted with all its events. New events of the same kind open new issues.',
} as const

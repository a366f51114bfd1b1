import type { ReplayVisitor } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { AlertDialog, toast, VisibleText } from '../../../ui/index.ts'
import { deleteVisitor, type NamedReplay, visitorQuery } from './queries.ts'

/** Whose replays are meant, in words. */
function Who({ visitor }: { readonly visitor: ReplayVisitor }) {
  if (visitor.by === 'address') {
    return (
      <>nobody who is known: those that belong to this one by address and browser, with at most half an hour between</>
    )
  }
  const named = [
    ['the id', visitor.userId],
    ['the e-mail address', visitor.email],
    ...(visitor.userId === null && visitor.email === null ? [['the name', visitor.username]] : []),
  ].filter(([, name]) => typeof name === 'string')
  return (
    <>
      everyone with{' '}
      {named.map(([what, name], index) => (
        <span key={what}>
          {index === 0 ? '' : ' or '}
          {what}{' '}
          <strong>
            <VisibleText text={name ?? ''} />
          </strong>
        </span>
      ))}
    </>
  )
}

/** Asks before all replays of a visitor are deleted, with how many they are. */
export function DeleteVisitor({
  replay,
  open,
  onOpenChange,
  onDeleted,
}: {
  readonly replay: NamedReplay
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onDeleted: () => void
}) {
  const [busy, setBusy] = useState(false)
  const { data, error } = useQuery({ ...visitorQuery(replay), enabled: open })
  const count = data?.replays ?? 0
  const replays = count === 1 ? '1 replay' : `${formatCount(count)} replays`
  const remove = async (): Promise<void> => {
    setBusy(true)
    try {
      await deleteVisitor(replay)
      onOpenChange(false)
      toast({
        title: `${replays} of this visitor are being deleted`,
        description: 'How far it is stands in the settings of the project, under Replays.',
      })
      onDeleted()
    } catch (failure) {
      toast({ title: 'The replays could not be deleted', description: describeError(failure).detail, tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={data === undefined ? 'Delete all replays of this visitor?' : `Delete ${replays} of this visitor?`}
      description={
        error !== null ? (
          describeError(error).detail
        ) : data === undefined ? (
          'Counting their replays…'
        ) : (
          <>
            These are the replays of <Who visitor={data} />, in this project and of any time. What was recorded is
            removed for good, and parts that still come are refused. Issues and reports stay. This cannot be undone.
          </>
        )
      }
      confirmLabel={data === undefined ? 'Delete' : `Delete ${replays}`}
      busy={busy || (open && data === undefined)}
      onConfirm={() => {
        if (data !== undefined) void remove()
      }}
    />
  )
}

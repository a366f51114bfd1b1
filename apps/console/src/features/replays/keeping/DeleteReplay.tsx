import type { Replay } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { AlertDialog, IconButton, Menu, MenuItem, toast, TrashIcon } from '../../../ui/index.ts'
import { replaysKey } from '../query-keys.ts'
import { DeleteVisitor } from './DeleteVisitor.tsx'
import { deleteOne } from './queries.ts'

/** What ends a replay from its page: alone, or with all others of its visitor. */
export function DeleteReplay({ org, replay }: { readonly org: string; readonly replay: Replay }) {
  const access = useAccess(org)
  const navigate = useNavigate()
  const client = useQueryClient()
  const [asked, setAsked] = useState<'one' | 'visitor' | null>(null)
  const [busy, setBusy] = useState(false)
  const named = { org, project: replay.project_id, replay: replay.id }
  const leave = (): void => {
    void client.invalidateQueries({ queryKey: replaysKey(org) })
    void navigate({ to: '/organizations/$org/replays', params: { org } })
  }
  const remove = async (): Promise<void> => {
    setBusy(true)
    try {
      await deleteOne(named)
      toast({ title: 'Replay deleted' })
      leave()
    } catch (error) {
      toast({ title: 'The replay could not be deleted', description: describeError(error).detail, tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  if (!access('event:admin')) return null
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={TrashIcon} label="Delete" />}>
        <MenuItem icon={TrashIcon} danger onSelect={() => setAsked('one')}>
          Delete this replay
        </MenuItem>
        {access('project:write') ? (
          <MenuItem icon={TrashIcon} danger onSelect={() => setAsked('visitor')}>
            Delete all replays of this visitor
          </MenuItem>
        ) : null}
      </Menu>
      <AlertDialog
        open={asked === 'one'}
        onOpenChange={(open) => setAsked(open ? 'one' : null)}
        title="Delete this replay?"
        description="What was recorded is removed for good, and parts that still come are refused. Issues and reports stay. This cannot be undone."
        confirmLabel="Delete the replay"
        busy={busy}
        onConfirm={() => void remove()}
      />
      <DeleteVisitor
        replay={named}
        open={asked === 'visitor'}
        onOpenChange={(open) => setAsked(open ? 'visitor' : null)}
        onDeleted={leave}
      />
    </>
  )
}

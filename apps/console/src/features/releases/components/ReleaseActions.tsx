import type { Release } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useAccess } from '../../../lib/shared-queries.ts'
import {
  AlertDialog,
  Button,
  IconButton,
  Menu,
  MenuItem,
  MoreIcon,
  toast,
  TrashIcon,
  useChanges,
} from '../../../ui/index.ts'
import { changeRelease, removeRelease } from '../queries.ts'
import { releasesKey } from '../query-keys.ts'

/** What can be done with a release. */
export function ReleaseActions({ org, release }: { readonly org: string; readonly release: Release }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: releasesKey(org) }))
  if (!useAccess(org)('project:releases')) return null
  const { dateReleased, lastEvent, status, version } = release
  const isArchived = status === 'archived'

  const turn = async (): Promise<void> => {
    const what = isArchived ? 'Restoring' : 'Archiving'
    if (
      (await changes.during(what, () => changeRelease(org, version, { status: isArchived ? 'open' : 'archived' }))) ===
      null
    )
      return
    const title = isArchived ? 'The release is open again' : 'The release is archived'
    toast({ title, action: changes.undo(title, () => changeRelease(org, version, { status })) })
  }
  const finish = async (): Promise<void> => {
    const dateNow = new Date().toISOString()
    if ((await changes.during('Finalizing', () => changeRelease(org, version, { dateReleased: dateNow }))) === null)
      return
    const title = 'The release is finalized'
    toast({ title, action: changes.undo(title, () => changeRelease(org, version, { isReleased: false })) })
  }
  const remove = async (): Promise<void> => {
    const gone = await changes.during('Deleting', async () => {
      await removeRelease(org, version)
      return true
    })
    setAsks(false)
    if (gone === null) return
    toast({ title: 'The release is deleted' })
    void navigate({ to: '/organizations/$org/releases', params: { org } })
  }

  return (
    <>
      {dateReleased === null ? (
        <Button busy={changes.busy} onClick={() => void finish()}>
          Finalize
        </Button>
      ) : null}
      <Button busy={changes.busy} onClick={() => void turn()}>
        {isArchived ? 'Restore' : 'Archive'}
      </Button>
      {lastEvent === null ? (
        <Menu align="end" trigger={<IconButton icon={MoreIcon} label="More" />}>
          <MenuItem icon={TrashIcon} danger onSelect={() => setAsks(true)}>
            Delete
          </MenuItem>
        </Menu>
      ) : null}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={`Delete ${version}?`}
        description="Its commits and deploys go with it, and this cannot be taken back. Files that were uploaded for it stay."
        confirmLabel="Delete release"
        busy={changes.busy}
        onConfirm={() => void remove()}
      />
    </>
  )
}

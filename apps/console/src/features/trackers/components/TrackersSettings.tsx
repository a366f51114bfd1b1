import {
  deleteTracker,
  renewTrackerSecret,
  restoreTracker,
  testTracker,
  type Tracker,
  type TrackerTest,
  type TrackerWithSecret,
} from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import {
  Badge,
  Button,
  Dialog,
  EmptyState,
  IconButton,
  Menu,
  MenuItem,
  MenuSeparator,
  MoreIcon,
  Notice,
  Panel,
  PlusIcon,
  ProjectIcon,
  RelativeTime,
  ThingRow,
  ThingRows,
  toast,
  useChanges,
} from '../../../ui/index.ts'
import { SettingsPage } from '../../settings/index.ts'
import { KINDS } from '../model/kinds.ts'
import { trackerState } from '../model/words.ts'
import { trackersQuery } from '../queries.ts'
import { trackersKey } from '../query-keys.ts'
import { TrackerDialog } from './TrackerDialog.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'

/** What is open beside the list. */
type Opened =
  | { readonly kind: 'form'; readonly tracker: Tracker | null }
  | { readonly kind: 'webhook'; readonly tracker: Tracker; readonly secret: string | null }
  | { readonly kind: 'tested'; readonly tracker: Tracker; readonly answer: TrackerTest }

/** Issue trackers of the organisation: each with how it stands. */
export function TrackersSettings() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings/trackers' })
  const trackers = useQuery(trackersQuery(org))
  const mayWrite = useAccess(org)('org:write')
  const [opened, setOpened] = useState<Opened | null>(null)
  const connect = (
    <Button variant="primary" icon={PlusIcon} onClick={() => setOpened({ kind: 'form', tracker: null })}>
      Connect a tracker
    </Button>
  )
  return (
    <SettingsPage
      title="Issue trackers"
      what="The issue trackers"
      mayWrite={mayWrite}
      query={trackers}
      actions={mayWrite ? connect : undefined}
    >
      {(data) => (
        <>
          {data.length === 0 ? (
            <EmptyState icon={ProjectIcon} title="No issue tracker is connected">
              Connect the repository or project in which you plan your work: an issue or a report becomes a ticket there
              with one click, and when either is closed, so is the other.
            </EmptyState>
          ) : (
            <Panel content="rows">
              <ThingRows>
                {data.map((tracker) => (
                  <TrackerRow key={tracker.id} org={org} tracker={tracker} mayWrite={mayWrite} onOpen={setOpened} />
                ))}
              </ThingRows>
            </Panel>
          )}
          {opened === null ? null : (
            <OpenedDialog org={org} opened={opened} onOpen={setOpened} onClose={() => setOpened(null)} />
          )}
        </>
      )}
    </SettingsPage>
  )
}

function OpenedDialog({
  org,
  opened,
  onOpen,
  onClose,
}: {
  readonly org: string
  readonly opened: Opened
  readonly onOpen: (opened: Opened) => void
  readonly onClose: () => void
}) {
  switch (opened.kind) {
    case 'form':
      return (
        <TrackerDialog
          org={org}
          tracker={opened.tracker}
          onClose={onClose}
          onSaved={(made) => {
            if (made === null) onClose()
            else onOpen({ kind: 'webhook', tracker: made, secret: made.webhookSecret })
            toast({ title: made === null ? 'Issue tracker saved' : 'Issue tracker connected' })
          }}
        />
      )
    case 'webhook':
      return <WebhookDialog tracker={opened.tracker} secret={opened.secret} onClose={onClose} />
    case 'tested':
      return (
        <Dialog
          open
          size="small"
          onOpenChange={onClose}
          title={opened.answer.isReached ? `${opened.tracker.name} answers` : `${opened.tracker.name} does not do it`}
          footer={<Button onClick={onClose}>Done</Button>}
        >
          <Notice tone={opened.answer.isReached ? 'ok' : 'error'}>{opened.answer.sentence}</Notice>
        </Dialog>
      )
  }
}

function TrackerRow({
  org,
  tracker,
  mayWrite,
  onOpen,
}: {
  readonly org: string
  readonly tracker: Tracker
  readonly mayWrite: boolean
  readonly onOpen: (opened: Opened) => void
}) {
  const { tone, word } = trackerState(tracker)
  const { lastError, lastHeardAt, name, target, tickets } = tracker
  return (
    <ThingRow
      name={name}
      about={[
        `${KINDS[tracker.kind].label} · ${target} · ${tickets === 1 ? '1 ticket' : `${tickets.toLocaleString('en-US')} tickets`}`,
        lastError,
      ]}
      when={
        lastHeardAt === null ? null : (
          <>
            heard <RelativeTime time={lastHeardAt} />
          </>
        )
      }
    >
      <Badge tone={tone}>{word}</Badge>
      {mayWrite ? <TrackerActions org={org} tracker={tracker} onOpen={onOpen} /> : null}
    </ThingRow>
  )
}

function TrackerActions({
  org,
  tracker,
  onOpen,
}: {
  readonly org: string
  readonly tracker: Tracker
  readonly onOpen: (opened: Opened) => void
}) {
  const client = useQueryClient()
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: trackersKey(org) }))
  const { id, kind, name } = tracker
  const params = { org, tracker: id }
  const test = async (): Promise<void> => {
    const answer = await changes.during('The test', () => api.call(testTracker, { params }))
    if (answer !== null) onOpen({ kind: 'tested', tracker, answer })
  }
  const renew = async (): Promise<void> => {
    const renewed = await changes.during<TrackerWithSecret>('Making a new secret', () =>
      api.call(renewTrackerSecret, { params }),
    )
    if (renewed !== null) onOpen({ kind: 'webhook', tracker: renewed, secret: renewed.webhookSecret })
  }
  const remove = async (): Promise<void> => {
    const done = await changes.during('Disconnecting', async () => {
      await api.call(deleteTracker, { params })
      return true
    })
    if (done === null) return
    const title = `${name} disconnected`
    toast({ title, action: changes.undo(title, () => api.call(restoreTracker, { params })) })
  }
  return (
    <>
      <Button size="small" busy={changes.busy} onClick={() => void test()}>
        Test
      </Button>
      <Menu align="end" trigger={<IconButton icon={MoreIcon} label={`More for ${name}`} />}>
        <MenuItem onSelect={() => onOpen({ kind: 'form', tracker })}>Change</MenuItem>
        <MenuItem onSelect={() => onOpen({ kind: 'webhook', tracker, secret: null })}>Webhook</MenuItem>
        {kind === 'linear' ? null : (
          <MenuItem onSelect={() => void renew()} hint="The one before is refused">
            New secret
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger onSelect={() => void remove()}>
          Disconnect
        </MenuItem>
      </Menu>
    </>
  )
}

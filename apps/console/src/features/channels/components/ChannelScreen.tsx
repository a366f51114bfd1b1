import {
  deleteChannel,
  restoreChannel,
  rotateChannelSecret,
  testChannel,
  updateChannel,
  type Channel,
  type ChannelTest,
} from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import {
  Badge,
  Button,
  Dialog,
  IconButton,
  Link,
  Menu,
  MenuItem,
  MenuSeparator,
  MoreIcon,
  Notice,
  Panel,
  RelativeTime,
  toast,
  useChanges,
} from '../../../ui/index.ts'
import { SecretDialog, SettingsPage } from '../../settings/index.ts'
import { KINDS } from '../model/kinds.ts'
import { channelState, type DeliveryFilter } from '../model/words.ts'
import { channelQuery, channelsKey } from '../queries.ts'
import { Attempt } from './Attempt.tsx'
import { ChannelDialog } from './ChannelDialog.tsx'
import { Deliveries } from './Deliveries.tsx'
import styles from './channels.module.css'

const FROM = '/signed-in/organizations/$org/settings/channels/$channel'

/** One channel: how it stands, a test, and what became of each message. */
export function ChannelScreen() {
  const { org, channel: id } = useParams({ from: FROM })
  const { state = 'all', delivery } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: '/organizations/$org/settings/channels/$channel' })
  const channel = useQuery(channelQuery(org, id))
  const mayWrite = useAccess(org)('org:write')
  const show = (change: { readonly state?: DeliveryFilter; readonly delivery?: string | undefined }): void => {
    const next = { state, delivery, ...change }
    void navigate({
      search: {
        ...(next.state !== 'all' && { state: next.state }),
        ...(next.delivery !== undefined && { delivery: next.delivery }),
      },
      replace: true,
    })
  }
  return (
    <SettingsPage
      title={channel.data?.name ?? 'Channel'}
      what="The channel"
      mayWrite={mayWrite}
      query={channel}
      actions={mayWrite && channel.data !== undefined ? <ChannelActions org={org} channel={channel.data} /> : undefined}
    >
      {(data) => (
        <div className={styles.stack}>
          <p>
            <Link look="quiet" to="/organizations/$org/settings/channels" params={{ org }}>
              All channels
            </Link>
          </p>
          <ChannelState channel={data} />
          {mayWrite ? <Deliveries org={org} channel={id} filter={state} open={delivery} onChange={show} /> : null}
        </div>
      )}
    </SettingsPage>
  )
}

function ChannelState({ channel }: { readonly channel: Channel }) {
  const { tone, word } = channelState(channel)
  const { createdBy, failingSince, lastError, lastSentAt, rotatesUntil } = channel
  return (
    <>
      {channel.offReason === '' ? null : (
        <Notice tone="error">
          Firsthand switched this channel off. {channel.offReason} Correct it, send a test, then switch it on.
        </Notice>
      )}
      <Panel>
        <dl className={styles.facts}>
          <dt>State</dt>
          <dd>
            <Badge tone={tone}>{word}</Badge>
            {failingSince === null ? null : (
              <>
                {' '}
                since <RelativeTime time={failingSince} />: {lastError}
              </>
            )}
          </dd>
          <dt>Kind</dt>
          <dd>{KINDS[channel.kind].label}</dd>
          <dt>Goes to</dt>
          <dd>{channel.target}</dd>
          <dt>Last message</dt>
          <dd>{lastSentAt === null ? 'none yet' : <RelativeTime time={lastSentAt} />}</dd>
          {rotatesUntil === null ? null : (
            <>
              <dt>Secret</dt>
              <dd>
                The one before is good as well; it ends <RelativeTime time={rotatesUntil} form="until" />
              </dd>
            </>
          )}
          <dt>Added</dt>
          <dd>
            <RelativeTime time={channel.createdAt} />
            {createdBy === null ? null : ` by ${createdBy.name || createdBy.email}`}
          </dd>
        </dl>
      </Panel>
    </>
  )
}

function ChannelActions({ org, channel }: { readonly org: string; readonly channel: Channel }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [editing, setEditing] = useState(false)
  const [tested, setTested] = useState<ChannelTest | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: channelsKey(org) }))
  const params = { org, channel: channel.id }

  const test = async (): Promise<void> =>
    setTested(await changes.during('The test', () => api.call(testChannel, { params })))
  const rotate = async (): Promise<void> => {
    const rotated = await changes.during('Making a new secret', () => api.call(rotateChannelSecret, { params }))
    setSecret(rotated?.signingSecret ?? null)
  }
  const switchTo = async (isOn: boolean): Promise<void> => {
    const title = isOn ? 'Channel switched on' : 'Channel switched off'
    const switched = await changes.during(isOn ? 'Switching on' : 'Switching off', () =>
      api.call(updateChannel, { params, body: { isOn } }),
    )
    if (switched === null) return
    toast({ title, action: changes.undo(title, () => api.call(updateChannel, { params, body: { isOn: !isOn } })) })
  }
  const remove = async (): Promise<void> => {
    const title = `Channel ${channel.name} deleted`
    const done = await changes.during('Deleting', async () => {
      await api.call(deleteChannel, { params })
      return true
    })
    if (done === null) return
    void navigate({ to: '/organizations/$org/settings/channels', params: { org } })
    toast({ title, action: changes.undo(title, () => api.call(restoreChannel, { params })) })
  }

  return (
    <>
      <Button busy={changes.busy} onClick={() => void test()}>
        Send a test
      </Button>
      <Button variant="primary" onClick={() => setEditing(true)}>
        Change
      </Button>
      <Menu align="end" trigger={<IconButton icon={MoreIcon} label="More" />}>
        <MenuItem onSelect={() => void switchTo(!channel.isOn)}>{channel.isOn ? 'Switch off' : 'Switch on'}</MenuItem>
        {channel.kind === 'webhook' ? (
          <MenuItem onSelect={() => void rotate()} hint="The old one is good for a day">
            New secret
          </MenuItem>
        ) : null}
        <MenuSeparator />
        <MenuItem danger onSelect={() => void remove()}>
          Delete
        </MenuItem>
      </Menu>
      {editing ? (
        <ChannelDialog
          org={org}
          channel={channel}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            toast({ title: 'Channel saved' })
          }}
        />
      ) : null}
      {tested === null ? null : <TestDialog tested={tested} onClose={() => setTested(null)} />}
      {secret === null ? null : (
        <SecretDialog
          title={`New secret of ${channel.name}`}
          description="Copy it now: it is shown only once. Messages are signed with both for a day."
          secret={secret}
          label="secret"
          onClose={() => setSecret(null)}
        />
      )}
    </>
  )
}

/** What the other side said to a test. */
function TestDialog({ tested, onClose }: { readonly tested: ChannelTest; readonly onClose: () => void }) {
  return (
    <Dialog
      open
      size="large"
      onOpenChange={onClose}
      title={tested.isSent ? 'The test was taken' : 'The test was not taken'}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <div className={styles.stack}>
        <Notice tone={tested.isSent ? 'ok' : 'error'}>{tested.sentence}</Notice>
        <Attempt attempt={{ ...tested.attempt, error: null }} />
      </div>
    </Dialog>
  )
}

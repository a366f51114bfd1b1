import { deleteChannel, restoreChannel, type Channel, type ChannelWithSecret } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import {
  Badge,
  BellIcon,
  Button,
  EmptyState,
  IconButton,
  Link,
  Panel,
  PlusIcon,
  RelativeTime,
  ThingRow,
  ThingRows,
  toast,
  TrashIcon,
  useChanges,
} from '../../../ui/index.ts'
import { SecretDialog, SettingsPage } from '../../settings/index.ts'
import { KINDS } from '../model/kinds.ts'
import { channelState } from '../model/words.ts'
import { channelsKey, channelsQuery } from '../queries.ts'
import { ChannelDialog } from './ChannelDialog.tsx'

/** Places outside to which messages go: each with how it stands. */
export function ChannelsSettings() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings/channels' })
  const channels = useQuery(channelsQuery(org))
  const client = useQueryClient()
  const mayWrite = useAccess(org)('org:write')
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<ChannelWithSecret | null>(null)
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: channelsKey(org) }))
  const remove = async ({ id, name }: Channel): Promise<void> => {
    const params = { org, channel: id }
    const done = await changes.during('Deleting', async () => {
      await api.call(deleteChannel, { params })
      return true
    })
    if (done === null) return
    const title = `Channel ${name} deleted`
    toast({ title, action: changes.undo(title, () => api.call(restoreChannel, { params })) })
  }
  return (
    <SettingsPage
      title="Channels"
      what="The channels"
      mayWrite={mayWrite}
      query={channels}
      actions={
        mayWrite ? (
          <Button variant="primary" icon={PlusIcon} onClick={() => setAdding(true)}>
            New channel
          </Button>
        ) : undefined
      }
    >
      {(data) => (
        <>
          {data.length === 0 ? (
            <EmptyState icon={BellIcon} title="No channels yet">
              A channel is where alerts are told: a chat, a pager, a mailing list, a program of yours. What concerns one
              person reaches them without one.
            </EmptyState>
          ) : (
            <Panel content="rows">
              <ThingRows>
                {data.map((channel) => (
                  <ChannelRow
                    key={channel.id}
                    org={org}
                    channel={channel}
                    onDelete={mayWrite ? () => void remove(channel) : undefined}
                  />
                ))}
              </ThingRows>
            </Panel>
          )}
          {adding ? (
            <ChannelDialog
              org={org}
              channel={null}
              onClose={() => setAdding(false)}
              onSaved={(saved) => {
                setAdding(false)
                if (saved !== null && saved.signingSecret !== null) setMade(saved)
                else toast({ title: 'Channel added', description: 'Send a test to see whether messages arrive.' })
              }}
            />
          ) : null}
          {made === null ? null : (
            <SecretDialog
              title={`Secret of ${made.name}`}
              description="Your program checks signatures with it. Copy it now: it is shown only once."
              secret={made.signingSecret ?? ''}
              label="secret"
              onClose={() => setMade(null)}
            />
          )}
        </>
      )}
    </SettingsPage>
  )
}

function ChannelRow({
  org,
  channel,
  onDelete,
}: {
  readonly org: string
  readonly channel: Channel
  /** Absent: whoever looks may not delete it. */
  readonly onDelete: (() => void) | undefined
}) {
  const { tone, word } = channelState(channel)
  return (
    <ThingRow
      name={
        <Link to="/organizations/$org/settings/channels/$channel" params={{ org, channel: channel.id }}>
          {channel.name}
        </Link>
      }
      about={[`${KINDS[channel.kind].label} · ${channel.target}`]}
      when={channel.lastSentAt === null ? null : <RelativeTime time={channel.lastSentAt} />}
    >
      <Badge tone={tone}>{word}</Badge>
      {onDelete === undefined ? null : (
        <IconButton icon={TrashIcon} label={`Delete ${channel.name}`} onClick={onDelete} />
      )}
    </ThingRow>
  )
}

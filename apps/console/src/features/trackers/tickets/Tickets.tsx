import { checkTicket, restoreTicket, unlinkTicket, type Ticket } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import {
  Badge,
  Button,
  ExternalLink,
  IconButton,
  Link,
  Loaded,
  Menu,
  MenuItem,
  MoreIcon,
  Skeleton,
  toast,
  useChanges,
  useCommandsForOpen,
  VisibleText,
} from '../../../ui/index.ts'
import { ticketState } from '../model/words.ts'
import { ticketsQuery, trackersQuery, type TicketSubject } from '../queries.ts'
import { trackersKey } from '../query-keys.ts'
import { CreateTicket } from './CreateTicket.tsx'
import { LinkTicket } from './LinkTicket.tsx'
import styles from './Tickets.module.css'

/** Tickets of an issue or report: each with its key, its state and the way there; and how another is made or linked. */
export function Tickets({
  org,
  subject,
  name,
}: {
  readonly org: string
  readonly subject: TicketSubject
  /** Of the issue or report. */
  readonly name: string
}) {
  const access = useAccess(org)
  const mayWrite = access('event:write')
  const [opened, setOpened] = useState<'create' | 'link' | null>(null)
  const trackers = useQuery({ ...trackersQuery(org), enabled: access('org:read') })
  const tickets = useQuery(ticketsQuery(org, subject))
  const isConnected = mayWrite && (trackers.data?.length ?? 0) > 0
  // Each has one that was made here.
  const made = new Set(
    (tickets.data ?? []).flatMap((ticket) => (ticket.isLinked || ticket.state === 'failed' ? [] : [ticket.tracker.id])),
  )
  const free = (trackers.data ?? []).filter(({ id }) => !made.has(id))
  const canMake = isConnected && free.length > 0
  useCommandsForOpen(`Tickets of ${name}`, [
    ...(canMake ? [{ label: 'Create a ticket …', run: () => setOpened('create') }] : []),
    ...(isConnected ? [{ label: 'Link a ticket …', run: () => setOpened('link') }] : []),
  ])
  return (
    <div className={styles.stack}>
      <Loaded compact query={tickets} outline={<Skeleton height={30} />} failed="The tickets could not be loaded">
        {(rows) => (
          <>
            {rows.length === 0 ? (
              <NoTickets org={org} isConnected={isConnected} mayConnect={access('org:write')} />
            ) : null}
            {rows.length === 0 ? null : (
              <ul className={styles.tickets}>
                {rows.map((ticket) => (
                  <TicketRow key={ticket.id} org={org} ticket={ticket} mayWrite={mayWrite} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      {isConnected ? (
        <div className={styles.buttons}>
          {canMake ? (
            <Button size="small" onClick={() => setOpened('create')}>
              Create ticket
            </Button>
          ) : null}
          <Button size="small" variant="ghost" onClick={() => setOpened('link')}>
            Link ticket
          </Button>
        </div>
      ) : null}
      {opened === 'create' && canMake ? (
        <CreateTicket org={org} subject={subject} trackers={free} onClose={() => setOpened(null)} />
      ) : null}
      {opened === 'link' ? <LinkTicket org={org} subject={subject} onClose={() => setOpened(null)} /> : null}
    </div>
  )
}

function NoTickets({
  org,
  isConnected,
  mayConnect,
}: {
  readonly org: string
  readonly isConnected: boolean
  readonly mayConnect: boolean
}) {
  if (isConnected || !mayConnect) return <p className={styles.muted}>None yet.</p>
  return (
    <p className={styles.muted}>
      <Link look="quiet" to="/organizations/$org/settings/trackers" params={{ org }}>
        Connect an issue tracker
      </Link>{' '}
      to plan the work where you plan yours.
    </p>
  )
}

function TicketRow({
  org,
  ticket,
  mayWrite,
}: {
  readonly org: string
  readonly ticket: Ticket
  readonly mayWrite: boolean
}) {
  const { error, key, state, title, tracker, url } = ticket
  const { tone, word } = ticketState(ticket)
  return (
    <li className={styles.ticket}>
      <div className={styles.main}>
        <p className={styles.chip}>
          {url === null ? <span>{tracker.name}</span> : <ExternalLink href={url}>{key}</ExternalLink>}
          <Badge tone={tone}>{word}</Badge>
        </p>
        <p className={styles.muted}>
          {url === null ? null : `${tracker.name} · `}
          <VisibleText text={title} />
        </p>
        {error === null || state === 'gone' ? null : <p className={styles.error}>{error}</p>}
      </div>
      {mayWrite ? <TicketActions org={org} ticket={ticket} /> : null}
    </li>
  )
}

function TicketActions({ org, ticket }: { readonly org: string; readonly ticket: Ticket }) {
  const client = useQueryClient()
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: trackersKey(org) }))
  const { error, key, tracker } = ticket
  const name = key === '' ? tracker.name : key
  const params = { org, ticket: ticket.id }
  const check = (): void =>
    void changes
      .during('Asking', () => api.call(checkTicket, { params }))
      .then((asked) => {
        if (asked !== null) toast({ title: error === null ? `Asking how ${name} stands` : 'Trying again' })
      })
  const unlink = async (): Promise<void> => {
    const done = await changes.during('Unlinking', async () => {
      await api.call(unlinkTicket, { params })
      return true
    })
    if (done === null) return
    const title = `${name} unlinked`
    toast({ title, action: changes.undo(title, () => api.call(restoreTicket, { params })) })
  }
  return (
    <Menu align="end" trigger={<IconButton icon={MoreIcon} size="small" label={`More for ${name}`} />}>
      <MenuItem onSelect={check}>{error === null ? 'Ask how it stands' : 'Try again'}</MenuItem>
      <MenuItem onSelect={() => void unlink()}>Unlink</MenuItem>
    </Menu>
  )
}

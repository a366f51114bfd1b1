import type { Ticket, Tracker } from '@firsthand/contract'
import { toDate } from '../lib/instant-text.ts'
import { kindOf } from './kinds/index.ts'
import type { TicketRecord } from './ticket.ts'
import { hookSecretsOf, HOOK_PATH, targetOf, type TrackerRecord } from './tracker.ts'

const dateOrNull = (at: number | null): string | null => (at === null ? null : toDate(at))

const userJson = (user: TrackerRecord['createdBy']) => (user === null ? null : { ...user, id: String(user.id) })

/** A connection as people see it: nothing of what is sealed is in it. */
export const trackerJson = (tracker: TrackerRecord, publicUrl: string): Tracker => ({
  id: String(tracker.id),
  kind: tracker.kind,
  name: tracker.name,
  settings: { ...tracker.settings },
  version: tracker.version,
  target: kindOf(tracker.kind).name(targetOf(tracker).settings),
  webhookUrl: `${publicUrl}${HOOK_PATH}${tracker.hookKey}`,
  hasWebhookSecret: Object.values(hookSecretsOf(tracker)).some((secret) => secret !== ''),
  lastHeardAt: dateOrNull(tracker.lastHeardAt),
  lastError: tracker.lastError,
  tickets: tracker.tickets,
  createdAt: toDate(tracker.createdAt),
  createdBy: userJson(tracker.createdBy),
})

export const ticketJson = (ticket: TicketRecord): Ticket => ({
  id: String(ticket.id),
  tracker: { ...ticket.tracker, id: String(ticket.tracker.id) },
  key: ticket.key,
  url: ticket.url === '' ? null : ticket.url,
  title: ticket.title,
  state: ticket.state,
  wanted: ticket.wanted,
  error: ticket.error,
  isLinked: ticket.isLinked,
  createdAt: toDate(ticket.createdAt),
  createdBy: userJson(ticket.createdBy),
})

import { checkTicket, restoreTicket, unlinkTicket } from '@firsthand/contract'
import { badRequest, bind, conflict, notFound, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Outgoing } from '../lib/outgoing.ts'
import { callTracker } from './ask-tracker.ts'
import { createAwaitTicket } from './await-ticket.ts'
import { TrackerFailure } from './kinds/failure.ts'
import { kindOf } from './kinds/index.ts'
import type { RemoteTicket } from './kinds/kind.ts'
import type { Tickets } from './ledger/tickets.ts'
import type { Trackers } from './ledger/trackers.ts'
import { LIMITS } from './limits.ts'
import { readId } from './read-id.ts'
import type { Subject, TicketActor, TicketRecord } from './ticket.ts'
import { targetOf, type TrackerRecord } from './tracker.ts'
import { ticketJson } from './tracker-json.ts'
import { titleOf, type Draft } from './writing/draft.ts'
import { plainOf } from './writing/plain.ts'

/** What the routes use of a request. */
export interface TicketRequest {
  readonly caller: { readonly user: { readonly id: number } }
  readonly organization: { readonly id: number; readonly slug: string }
  readonly signal: AbortSignal
}

/** An issue or report, and what a ticket of it says. */
export interface About {
  readonly subject: Subject
  readonly draft: () => Promise<Draft>
}

export interface TicketParts {
  readonly trackers: Pick<Trackers, 'find' | 'list' | 'leaveAlone' | 'noteAnswer'>
  readonly tickets: Tickets
  readonly outgoing: Pick<Outgoing, 'send'>
  readonly clock: Clock
  /** Told that tickets are due, or changed. */
  readonly changed: (organizationId: number) => void
}

const TOO_MANY = `It has ${LIMITS.TICKETS_PER_SUBJECT} tickets, which is the most. Take some off first.`

const actorOf = ({ caller, organization }: TicketRequest, clock: Clock): TicketActor => ({
  organizationId: organization.id,
  userId: caller.user.id,
  now: clock.now(),
})

/** Above the evidence stands what somebody wants to say; below them all a link by which the ticket is found again. */
export const completed = (
  draft: Draft,
  { title, note }: { readonly title?: string | undefined; readonly note?: string | undefined },
): Draft => ({
  ...draft,
  title: title ?? draft.title,
  blocks: [...(note === undefined || note === '' ? [] : [{ kind: 'text', text: note } as const]), ...draft.blocks],
})

/** Tickets of issues and reports alike. */
export const createTicketDesk = (parts: TicketParts) => {
  const { trackers, tickets, clock, changed } = parts
  const awaitTicket = createAwaitTicket(tickets)

  const trackerOf = async (organizationId: number, reference: string): Promise<TrackerRecord> => {
    const tracker = await trackers.find(organizationId, readId(reference))
    if (tracker === null) {
      const detail = 'There is no such tracker in this organisation. Choose one that is connected.'
      throw badRequest(detail, { tracker: detail })
    }
    return tracker
  }

  const shown = async (organizationId: number, id: number) => {
    const ticket = await tickets.find(organizationId, id)
    if (ticket === null) throw notFound()
    return ticketJson(ticket)
  }

  return {
    list: (organizationId: number, subject: Subject): Promise<readonly TicketRecord[]> =>
      tickets.list(organizationId, subject),

    trackers: (organizationId: number): Promise<readonly TrackerRecord[]> => trackers.list(organizationId),

    preview: async (request: TicketRequest, { draft }: About, reference: string) => {
      await trackerOf(request.organization.id, reference)
      const written = await draft()
      return { title: titleOf(written), body: plainOf(written) }
    },

    create: async (
      request: TicketRequest,
      { subject, draft }: About,
      { tracker: reference, title, note }: { tracker: string; title?: string | undefined; note?: string | undefined },
    ) => {
      const organizationId = request.organization.id
      const tracker = await trackerOf(organizationId, reference)
      const made = await tickets.make(actorOf(request, clock), {
        trackerId: tracker.id,
        subject,
        draft: completed(await draft(), { title, note }),
      })
      if (!made.ok) throw conflict(TOO_MANY)
      changed(organizationId)
      const ticket = await awaitTicket(organizationId, made.value, request.signal)
      if (ticket === null) throw notFound()
      return ticketJson(ticket)
    },

    link: async (request: TicketRequest, { subject }: About, text: string) => {
      const organizationId = request.organization.id
      const found = await findByAddress(parts, organizationId, text)
      const linked = await tickets.link(actorOf(request, clock), { subject, ...found })
      if (!linked.ok) throw conflict(TOO_MANY)
      changed(organizationId)
      return shown(organizationId, linked.value)
    },

    routes: [
      bind(unlinkTicket, async ({ params, request }) => {
        if (!(await tickets.remove(actorOf(request, clock), readId(params.ticket)))) throw notFound()
        changed(request.organization.id)
        return { body: null }
      }),
      bind(restoreTicket, async ({ params, request }) => {
        const id = readId(params.ticket)
        if (!(await tickets.restore(actorOf(request, clock), id))) {
          throw conflict('It cannot be put back: it is gone, or another one took its place meanwhile.')
        }
        changed(request.organization.id)
        return { body: await shown(request.organization.id, id) }
      }),
      bind(checkTicket, async ({ params, request }) => {
        const id = readId(params.ticket)
        await shown(request.organization.id, id)
        await tickets.check(actorOf(request, clock), id)
        changed(request.organization.id)
        return { body: await shown(request.organization.id, id) }
      }),
    ] as readonly Route[],
  }
}

export type TicketDesk = ReturnType<typeof createTicketDesk>

/** By its old address a tracker also finds what was moved to another project or team since. */
const isOfTarget = (tracker: TrackerRecord, { url }: RemoteTicket): boolean => {
  const address = URL.parse(url)
  return address !== null && kindOf(tracker.kind).idOf(targetOf(tracker).settings, address) !== null
}

/** The ticket at an address, as its tracker has it. @throws HttpError 400 */
const findByAddress = async (
  { trackers, outgoing, clock }: Pick<TicketParts, 'trackers' | 'outgoing' | 'clock'>,
  organizationId: number,
  text: string,
): Promise<{ readonly trackerId: number; readonly remote: RemoteTicket }> => {
  const refused = (detail: string): Error => badRequest(detail, { url: detail })
  const url = URL.parse(text)
  if (url === null) throw refused('This is no address. Copy it from the page of the ticket.')
  let problem = refused(
    'It is no ticket of a connected tracker. Connect its repository or project first, in the settings.',
  )
  for (const tracker of await trackers.list(organizationId)) {
    const id = kindOf(tracker.kind).idOf(targetOf(tracker).settings, url)
    if (id === null) continue
    try {
      const remote = await callTracker({ outgoing, now: clock.now, trackers }, tracker, (kind, target, ask) =>
        kind.read(target, ask, id),
      )
      if (remote !== null && isOfTarget(tracker, remote)) return { trackerId: tracker.id, remote }
      problem = refused(
        remote === null
          ? `${tracker.name} has no such ticket, or its token does not see it.`
          : `It was moved and is ${remote.key} now. Link it by its new address.`,
      )
    } catch (error) {
      if (!(error instanceof TrackerFailure)) throw error
      problem = refused(error.message)
    }
    // Another connection may see it: two sites have teams and projects of the same key.
  }
  throw problem
}

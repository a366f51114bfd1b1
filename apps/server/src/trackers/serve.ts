import type { CapabilityJob, Served, ServerParts } from '../capability.ts'
import { followFacts } from '../facts/index.ts'
import { createLedgerInbox, quotesAbout } from '../feedback/index.ts'
import { createIssueReads, ISSUES_WITH_TICKETS, TICKETS_OF_ISSUES } from '../issues/index.ts'
import { answering } from '../lib/questions.ts'
import type { Clock } from '../lib/clock.ts'
import { createOccasion } from '../lib/occasion.ts'
import { createOutgoing } from '../lib/outgoing.ts'
import { LIMITS as STORAGE_LIMITS } from '../storage/limits.ts'
import { createDesk } from './desk.ts'
import { createGather } from './evidence/gather.ts'
import { createHookPage } from './hooks/hook-page.ts'
import { followTicket, wantStates } from './ledger/follow-state.ts'
import { createHooks, type Hooks } from './ledger/hooks.ts'
import { createTicketQueue } from './ledger/ticket-queue.ts'
import { createTickets, type Tickets } from './ledger/tickets.ts'
import { createTrackers, type Trackers } from './ledger/trackers.ts'
import { LIMITS } from './limits.ts'
import { createTicketDesk } from './ticket-desk.ts'
import { createIssueTicketRoutes, createReportTicketRoutes } from './tickets.routes.ts'
import { createTrackerRoutes } from './trackers.routes.ts'

const forgettingOf = (
  {
    tickets,
    trackers,
    hooks,
  }: {
    readonly tickets: Pick<Tickets, 'forgetRemoved'>
    readonly trackers: Pick<Trackers, 'forgetDeleted'>
    readonly hooks: Pick<Hooks, 'forgetOld'>
  },
  clock: Clock,
): CapabilityJob => ({
  name: 'trackers and tickets that were taken away',
  everyMs: STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS,
  byTheClock: true,
  run: async () => {
    await tickets.forgetRemoved(clock.now())
    await trackers.forgetDeleted(clock.now())
    await hooks.forgetOld(clock.now())
  },
})

/** Asks for tickets of which nobody told us anything. */
const createRevisits = ({
  tickets,
  clock,
  due,
}: {
  readonly tickets: Pick<Tickets, 'revisit'>
  readonly clock: Clock
  readonly due: () => void
}) => {
  // While we were away nobody told us anything.
  let wasAway = true
  return {
    of: async (trackerId: number): Promise<void> => {
      await tickets.revisit({ trackerId, since: clock.now() }, clock.now())
      due()
    },
    ofAll: async (): Promise<void> => {
      const now = clock.now()
      await tickets.revisit({ trackerId: null, since: now - (wasAway ? 0 : LIMITS.TICKET_REVISIT_MS) }, now)
      wasAway = false
      due()
    },
  }
}

const gatherOf = ({ ledger, url: publicUrl }: ServerParts, events: Parameters<typeof createGather>[0]['events']) =>
  createGather({
    events,
    quotes: (organizationId, issueIds) =>
      quotesAbout(ledger)(
        { organizationId, issueIds },
        { limit: LIMITS.TICKET_QUOTES, chars: LIMITS.TICKET_QUOTE_CHARS },
      ),
    publicUrl,
  })

export const serveTrackers = (parts: ServerParts): Served => {
  const { clock, config, keyFor, ledger, live, logger, url: publicUrl } = parts
  const { issues, events } = createIssueReads(parts)
  const trackers = createTrackers({ ledger, key: keyFor('trackers') })
  const tickets = createTickets({ ledger })
  const inbox = createLedgerInbox({ ledger })
  const queue = createTicketQueue({ ledger })
  const hooks = createHooks({ ledger })
  const outgoing = createOutgoing({ allowedRanges: config.reachableRanges })
  const ending = new AbortController()
  const occasion = createOccasion({ clock, quietMs: LIMITS.TICKET_QUIET_MS })
  // What a transaction makes due is seen when it ends, a moment after we hear of it.
  let watchUntil = 0
  const due = (): void => {
    watchUntil = clock.now() + LIMITS.TICKET_WATCH_MS
    occasion.wake()
  }
  const tell = (organizationId: number): void =>
    live.publish({ topic: 'trackers', organizationId, projectId: null, at: clock.now() })
  const changed = (organizationId: number): void => {
    due()
    tell(organizationId)
  }
  const revisits = createRevisits({ tickets, clock, due })
  const desk = createDesk({
    queue,
    trackers,
    outgoing,
    clock,
    logger,
    occasion,
    follow: followTicket(ledger),
    looked: ({ organizationId, issueId, reportId }) => {
      tell(organizationId)
      // Its issue may have followed: whoever looks at it sees that, and who follows facts is woken.
      if (issueId !== null) {
        const data = { issueIds: [String(issueId)], opened: [] }
        live.publish({ topic: 'issues', organizationId, projectId: null, at: clock.now(), data })
      }
      if (reportId !== null) live.publish({ topic: 'feedback', organizationId, projectId: null, at: clock.now() })
    },
    ending: ending.signal,
  })
  const ticketDesk = createTicketDesk({ trackers, tickets, outgoing, clock, changed })
  return {
    routes: [
      ...createTrackerRoutes({
        trackers,
        outgoing,
        publicUrl,
        clock,
        changed: tell,
        revisit: revisits.of,
      }),
      ...createIssueTicketRoutes({
        desk: ticketDesk,
        issues,
        gather: gatherOf(parts, events),
      }),
      ...createReportTicketRoutes({
        desk: ticketDesk,
        findReport: (organizationId, reference) => inbox.find(organizationId, reference),
        publicUrl,
      }),
      ...ticketDesk.routes,
    ],
    pages: [createHookPage({ trackers, hooks, tickets, clock, heard: due })],
    jobs: [
      followFacts({
        ledger,
        live,
        clock,
        logger,
        name: 'trackers',
        batch: LIMITS.TICKET_FACTS_AT_ONCE,
        take: async (transaction, facts) => {
          if (await wantStates(transaction, ledger, facts, clock.now())) due()
        },
      }),
      {
        name: 'tickets',
        everyMs: LIMITS.TICKET_INTERVAL_MS,
        isDue: () => occasion.isDue() || clock.now() < watchUntil,
        run: desk.run,
      },
      { name: 'tickets of which nobody told us', everyMs: LIMITS.TICKET_REVISIT_INTERVAL_MS, run: revisits.ofAll },
      forgettingOf({ tickets, trackers, hooks }, clock),
    ],
    knows: [
      answering(TICKETS_OF_ISSUES, ({ organizationId, issues: asked }) => tickets.ofIssues(organizationId, asked)),
      answering(ISSUES_WITH_TICKETS, tickets.issuesWithTickets),
    ],
    end: () => ending.abort(),
  }
}

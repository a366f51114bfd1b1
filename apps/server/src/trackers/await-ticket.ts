import { setTimeout as pass } from 'node:timers/promises'
import { LIMITS } from './limits.ts'
import type { Tickets } from './ledger/tickets.ts'
import type { TicketRecord } from './ticket.ts'

const LOOK_MS = 100

/** Waits until a ticket is made, failed, or has to be tried again; it comes later when that takes too long. */
export const createAwaitTicket =
  (tickets: Pick<Tickets, 'find'>) =>
  async (organizationId: number, id: number, signal: AbortSignal): Promise<TicketRecord | null> => {
    const deadline = performance.now() + LIMITS.TICKET_WAIT_MS
    for (;;) {
      const ticket = await tickets.find(organizationId, id)
      const isWaiting = ticket !== null && ticket.state === 'creating' && ticket.error === null
      if (!isWaiting || signal.aborted || performance.now() >= deadline) return ticket
      await pass(LOOK_MS)
    }
  }

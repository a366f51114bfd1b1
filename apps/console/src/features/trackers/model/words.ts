import type { Ticket, Tracker } from '@firsthand/contract'
import type { Tone } from '../../../ui/index.ts'

interface Word {
  readonly tone: Tone
  readonly word: string
}

/** How it stands with a connection, in a word. */
export const trackerState = ({ lastError, hasWebhookSecret, lastHeardAt }: Tracker): Word => {
  if (lastError !== null) return { tone: 'error', word: 'Not reached' }
  if (!hasWebhookSecret) return { tone: 'warning', word: 'Not heard' }
  return lastHeardAt === null ? { tone: 'neutral', word: 'Not heard yet' } : { tone: 'ok', word: 'Connected' }
}

/** How it stands with a ticket, in a word. */
export const ticketState = ({ state, wanted, error }: Ticket): Word => {
  switch (state) {
    case 'creating':
      return { tone: 'info', word: error === null ? 'On its way' : 'Tried again' }
    case 'failed':
      return { tone: 'error', word: 'Failed' }
    case 'gone':
      return { tone: 'neutral', word: 'Gone' }
    case 'open':
      return wanted === 'closed' ? { tone: 'info', word: 'Closing' } : { tone: 'ok', word: 'Open' }
    case 'closed':
      return wanted === 'open' ? { tone: 'info', word: 'Opening' } : { tone: 'neutral', word: 'Closed' }
  }
}

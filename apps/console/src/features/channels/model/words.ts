import type { Channel, Delivery } from '@firsthand/contract'
import type { Tone } from '../../../ui/index.ts'

interface Word {
  readonly tone: Tone
  readonly word: string
}

/** How it stands with a channel, in a word. */
export const channelState = ({ isOn, offReason, failingSince, lastSentAt }: Channel): Word => {
  if (!isOn) return offReason === '' ? { tone: 'neutral', word: 'Off' } : { tone: 'error', word: 'Switched off' }
  if (failingSince !== null) return { tone: 'warning', word: 'Not reached' }
  return lastSentAt === null ? { tone: 'neutral', word: 'Not used yet' } : { tone: 'ok', word: 'Reached' }
}

const DELIVERY_WORDS: Readonly<Record<Delivery['state'], Word>> = {
  waiting: { tone: 'info', word: 'Waiting' },
  sending: { tone: 'info', word: 'On its way' },
  sent: { tone: 'ok', word: 'Sent' },
  failed: { tone: 'error', word: 'Failed' },
  expired: { tone: 'neutral', word: 'Out of date' },
  folded: { tone: 'neutral', word: 'Told by a later one' },
  held: { tone: 'warning', word: 'Held back' },
}

/** How it stands with a message, in a word: one that was sent may not be for all who should have it. */
export const deliveryState = ({ state, error }: Pick<Delivery, 'state' | 'error'>): Word =>
  state === 'sent' && error !== null ? { tone: 'warning', word: 'Not to all' } : DELIVERY_WORDS[state]

/** What the list of deliveries can be narrowed to. */
export const DELIVERY_FILTERS = {
  all: [],
  failed: ['failed', 'expired'],
  waiting: ['waiting', 'sending'],
  held: ['held', 'folded'],
} as const satisfies Readonly<Record<string, readonly Delivery['state'][]>>

export type DeliveryFilter = keyof typeof DELIVERY_FILTERS

import { DELIVERY_FILTERS, type DeliveryFilter } from './words.ts'

export interface ChannelSearch {
  readonly state?: DeliveryFilter
  /** The delivery that is open. */
  readonly delivery?: string
}

/** Of an address that somebody wrote or kept: what makes no sense is left out. */
export const readChannelSearch = ({ state, delivery }: Readonly<Record<string, unknown>>): ChannelSearch => ({
  ...(typeof state === 'string' && state !== 'all' && state in DELIVERY_FILTERS && { state: state as DeliveryFilter }),
  ...(/^\d{1,15}$/.test(String(delivery)) && { delivery: String(delivery) }),
})

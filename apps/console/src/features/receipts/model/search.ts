import { OUTCOMES, type Receipt } from '@firsthand/contract'

/** What the receipts screen shows, as its URL says it. Absent means "all" (and 24 hours). */
export interface ReceiptsSearch {
  /** Project id. */
  readonly project?: string
  readonly statsPeriod?: string
  readonly outcome?: Receipt['outcome']
  readonly itemType?: string
  readonly sdk?: string
}

export const DEFAULT_PERIOD = '24h'

export const PERIODS = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '14d', label: 'Last 14 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
] as const

const MAX_LENGTH = 200

function text(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' && first !== '' && first.length <= MAX_LENGTH ? first : undefined
}

/** Reads any URL, also one edited by hand: what cannot be read is left out. */
export function readReceiptsSearch(raw: Readonly<Record<string, unknown>>): ReceiptsSearch {
  const project = text(raw.project)
  const period = text(raw.statsPeriod)
  const outcome = OUTCOMES.find((candidate) => candidate === raw.outcome)
  const itemType = text(raw.itemType)
  const sdk = typeof raw.sdk === 'string' ? raw.sdk.slice(0, MAX_LENGTH) : undefined
  return {
    ...(project !== undefined && { project }),
    ...(period !== undefined &&
      period !== DEFAULT_PERIOD &&
      /^\d{1,5}[smhdw]$/.test(period) && { statsPeriod: period }),
    ...(outcome !== undefined && { outcome }),
    ...(itemType !== undefined && { itemType }),
    ...(sdk !== undefined && { sdk }),
  }
}

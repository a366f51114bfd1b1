import { queryEvents } from '@firsthand/contract'
import { api } from '../../lib/api.ts'

export interface FoundTransaction {
  readonly trace: string
  readonly span: string
  readonly name: string
  /** Slug. */
  readonly project: string
}

/** All of the time for which anything is kept. */
const EVER = '3650d'

/**
 * By the id of the event as which it came: one, or several where projects were sent the same id.
 *
 * @param event 32 hexadecimal digits
 */
export async function findTransactions(
  org: string,
  event: string,
  signal: AbortSignal,
): Promise<readonly FoundTransaction[]> {
  const { data } = await api.call(queryEvents, {
    params: { org },
    query: {
      dataset: 'transactions',
      field: ['trace', 'span_id', 'transaction', 'project'],
      query: `id:${event}`,
      statsPeriod: EVER,
      per_page: 3,
    },
    signal,
  })
  return data.map((row) => ({
    trace: String(row['trace']),
    span: String(row['span_id']),
    name: String(row['transaction']),
    project: String(row['project']),
  }))
}

/**
 * What an address of Sentry's console leads to, which names a transaction by its project and the id of its event:
 * `shop:4bf92f3577b34da6a3ce929d0e0e4736`.
 *
 * @param organizations in which it may be, in the order in which they are asked
 * @returns null for what is none, or is not there
 */
export async function findLinked(
  organizations: readonly string[],
  link: string,
  signal: AbortSignal,
): Promise<(FoundTransaction & { readonly org: string }) | null> {
  const [project, id = ''] = link.split(':')
  const event = id.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(event)) return null
  for (const org of organizations) {
    const found = await findTransactions(org, event, signal)
    const [first] = [...found.filter((one) => one.project === project), ...found]
    if (first !== undefined) return { ...first, org }
  }
  return null
}

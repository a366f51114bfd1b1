import { plainVisible } from '../../lib/visible-text.ts'
import type { Find } from '../../shell/feature.ts'
import { type Command, TracesIcon } from '../../ui/index.ts'
import { findTransactions } from './find-transaction.ts'

/**
 * An id that was pasted, also with dashes as a UUID has them: of the event as which a transaction came, or else of a trace.
 * Of a trace nobody is asked: its page says whether it is known.
 */
export const find: Find = async (text, { org, navigate, signal }) => {
  const id = text.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(id)) return []
  // Whatever becomes of the question, the trace can be opened.
  const transactions = await findTransactions(org, id, signal).catch(() => [])
  if (transactions.length > 0) {
    return transactions.map(({ name, span, trace }): Command => ({
      id: `transaction-${span}`,
      label: `Open transaction ${plainVisible(name)}`,
      keywords: [text],
      group: 'Traces',
      icon: TracesIcon,
      run: () => void navigate({ to: '/organizations/$org/traces/$trace', params: { org, trace }, search: { span } }),
    }))
  }
  return [
    {
      id: `trace-${id}`,
      label: `Open trace ${id}`,
      keywords: [text],
      group: 'Traces',
      icon: TracesIcon,
      run: () => void navigate({ to: '/organizations/$org/traces/$trace', params: { org, trace: id } }),
    },
  ]
}

import { categoryOf, countOf, type Item } from '@firsthand/protocol'
import type { KeyContext } from '../../accounts/settings.ts'
import { sizeOf } from '../payload-file.ts'
import type { OutcomeKind } from '../road.ts'
import type { RefusedCounter } from './door.ts'

/** What the outcomes of one request have in common. */
interface OutcomeSource {
  readonly key: KeyContext
  readonly sdk: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

/** Counts items that were refused. Where nothing could be read, the request itself is counted as one `envelope`. */
export interface Outcomes {
  items(source: OutcomeSource, items: readonly Item[], outcome: OutcomeKind, reason: string): void
  request(source: OutcomeSource, outcome: OutcomeKind, reason: string, bytes: number): void
}

export const createOutcomes = (refused: RefusedCounter): Outcomes => {
  const count = (
    { key, sdk, receivedAt }: OutcomeSource,
    outcome: OutcomeKind,
    reason: string,
    what: { itemType: string; category: string; quantity: number; bytes: number },
  ): void =>
    refused.count({
      organizationId: key.organizationId,
      projectId: key.projectId,
      keyId: key.keyId,
      timestamp: receivedAt,
      sdk,
      outcome,
      reason,
      ...what,
    })

  return {
    items(source, items, outcome, reason) {
      for (const item of items) {
        const itemType = item.header.type.slice(0, MAX_TYPE_LENGTH)
        const category = categoryOf(item.header.type)
        const what = { itemType, category, quantity: countOf(item), bytes: sizeOf(item) }
        count(source, outcome, reason, what)
      }
    },
    request: (source, outcome, reason, bytes) =>
      count(source, outcome, reason, { itemType: 'envelope', category: 'default', quantity: 1, bytes }),
  }
}

/** An unknown item type is text of the sender. */
const MAX_TYPE_LENGTH = 64

import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from './limits.ts'
import type { AttachmentView } from '../kept-items/index.ts'
import type { EventView } from './events.view.ts'
import type { IssueView } from './ledger/issue-view.ts'

const POLL_MS = 20

/**
 * The ledger knows of an event a moment before telemetry can be asked for it (a batch is applied, then written,
 * then settled). Who was told of the event by the ledger and does not find it waits for the batches that were on their
 * way, and looks again: nobody sees an issue without its event.
 */
export const createReadYourWrites = ({
  issues,
  events,
  attachments,
}: {
  readonly issues: Pick<IssueView, 'pendingBatches'>
  readonly events: EventView
  readonly attachments: AttachmentView
}): { readonly events: EventView; readonly attachments: AttachmentView } => {
  const settled = async (pending: readonly string[]): Promise<void> => {
    const deadline = performance.now() + LIMITS.SETTLE_WAIT_MS
    let left = pending
    while (left.length > 0 && performance.now() < deadline) {
      await delay(POLL_MS)
      const now = await issues.pendingBatches()
      left = left.filter((batch) => now.includes(batch))
    }
  }

  const whenSettled = async <Value>(
    read: () => Promise<Value>,
    isMissing: (value: Value) => boolean,
  ): Promise<Value> => {
    const pending = await issues.pendingBatches()
    const value = await read()
    if (pending.length === 0 || !isMissing(value)) return value
    await settled(pending)
    return read()
  }

  const isNull = (value: unknown): boolean => value === null
  return {
    events: {
      ...events,
      load: (place) => whenSettled(() => events.load(place), isNull),
      loadSome: (places) =>
        whenSettled(
          () => events.loadSome(places),
          (found) => found.size < places.length,
        ),
      newest: (asked) =>
        whenSettled(
          () => events.newest(asked),
          (found) => found.length < asked.issueIds.length,
        ),
      recommended: (scope) => whenSettled(() => events.recommended(scope), isNull),
      outermost: (scope, which, within) => whenSettled(() => events.outermost(scope, which, within), isNull),
    },
    attachments: {
      ...attachments,
      list: (event, page) =>
        whenSettled(
          () => attachments.list(event, page),
          (rows) => rows.length === 0,
        ),
    },
  }
}

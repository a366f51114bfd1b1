import { frameResolverOf } from '../../artifacts/resolve/index.ts'
import type { DigestParts } from '../../capability.ts'
import { filter, normalise, scrub } from '../../event/index.ts'
import { group } from '../grouping/index.ts'
import { createEventRows } from '../telemetry/event-rows.ts'
import { createEventItems } from './event-items.ts'

/** What becomes of events, on the digest's thread. */
export const createEventItemsOf = ({
  blobs,
  clock,
  ledger,
  logger,
  writer,
}: DigestParts): ReturnType<typeof createEventItems> =>
  createEventItems({
    steps: { normalise, filter, scrub, group },
    rows: createEventRows(writer),
    frames: frameResolverOf({ ledger, blobs }, { clock }),
    logger,
  })

import type { DigestParts } from '../capability.ts'
import { normalise, readJson, scrub } from '../event/index.ts'
import { createReportItems } from './report-items.ts'

/** What becomes of reports, on the digest's thread. */
export const createReportItemsOf = ({ keyFor, writer }: DigestParts): ReturnType<typeof createReportItems> =>
  createReportItems({
    normalise,
    scrub,
    readJson,
    addressKey: keyFor('addresses'),
    threadKey: keyFor('threads'),
    writer,
  })

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SEGMENT_HEADER_BYTES, segmentNumbers, segmentPath } from '../../apps/server/src/ingest/spool/segment-file.ts'

const LOOK_MS = 10
const DEADLINE_MS = 600_000

/** Bytes of the spool that the digest has not settled, read from the files of a running server. */
const bytesLeft = (ledger: DatabaseSync, spool: string): number => {
  const progress = ledger.prepare('SELECT segment, offset FROM digest_progress ORDER BY number DESC LIMIT 1').get()
  // Before anything was digested there is none.
  const { segment, offset } = {
    segment: Number(progress?.['segment'] ?? -1),
    offset: Number(progress?.['offset'] ?? 0),
  }
  let left = 0
  for (const number of segmentNumbers(readdirSync(spool))) {
    // A segment that goes between the two lines was digested.
    const size = statSync(segmentPath(spool, number), { throwIfNoEntry: false })?.size ?? 0
    if (number > segment) left += size - SEGMENT_HEADER_BYTES
    else if (number === segment) left += size - offset
  }
  return left
}

/**
 * Waits until everything that a server accepted is stored. It asks the files and not the server, which would take
 * processor time from what is measured.
 */
export const waitForDigest = async (dataDir: string): Promise<void> => {
  const ledger = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { readOnly: true })
  try {
    const deadline = Date.now() + DEADLINE_MS
    while (bytesLeft(ledger, join(dataDir, 'spool')) > 0) {
      if (Date.now() > deadline) throw new Error(`not everything was digested within ${DEADLINE_MS} ms`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  } finally {
    ledger.close()
  }
}

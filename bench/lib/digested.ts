import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { decodeOrder, HEAVY_ORDER } from '../../apps/server/src/ingest/spool/order-journal.ts'
import { decodeHeader, RECORD_HEADER_BYTES, recordSeed } from '../../apps/server/src/ingest/spool/record-format.ts'
import { SEGMENT_HEADER_BYTES, segmentNumbers, segmentPath } from '../../apps/server/src/ingest/spool/segment-file.ts'

const LOOK_MS = 10
const DEADLINE_MS = 600_000

interface Place {
  readonly segment: number
  readonly offset: number
}

/** How far the digest has settled a spool, or the order of its heavy records. */
const settled = (ledger: DatabaseSync, spool: string): Place => {
  const progress = ledger.prepare('SELECT segment, offset FROM digest_progress WHERE spool = ?').get(spool)
  // Before anything was digested there is none.
  return { segment: Number(progress?.['segment'] ?? -1), offset: Number(progress?.['offset'] ?? 0) }
}

/** Without a segment that goes between the listing and the look: it was digested. */
const segmentSizes = (directory: string): { readonly segment: number; readonly size: number }[] =>
  segmentNumbers(readdirSync(directory)).flatMap((segment) => {
    const size = statSync(segmentPath(directory, segment), { throwIfNoEntry: false })?.size
    return size === undefined ? [] : [{ segment, size }]
  })

/** Where each record of a segment stands, as far as it is written. It goes on where it stopped when it looked before. */
class SegmentRecords {
  readonly light: number[] = []
  readonly heavy: number[] = []
  #until = SEGMENT_HEADER_BYTES

  look(path: string, size: number, seed: number): void {
    if (this.#until >= size) return
    const header = Buffer.alloc(RECORD_HEADER_BYTES)
    const fd = openSync(path, 'r')
    try {
      while (this.#until < size) {
        readSync(fd, header, 0, RECORD_HEADER_BYTES, this.#until)
        const record = decodeHeader(header, 0, seed)
        // It is being written.
        if (record === null) return
        ;(record.isHeavy ? this.heavy : this.light).push(this.#until)
        this.#until += record.bytes
      }
    } finally {
      closeSync(fd)
    }
  }
}

const keyOf = ({ segment, offset }: Place): string => `${segment}:${offset}`

/** What the digest has not settled of a spool, from the files of a running server. */
class Backlog {
  readonly #ledger: DatabaseSync
  readonly #directory: string
  readonly #spool: string
  readonly #records = new Map<number, SegmentRecords>()

  constructor(ledger: DatabaseSync, directory: string) {
    this.#ledger = ledger
    this.#directory = directory
    this.#spool = readFileSync(join(directory, 'identity'), 'latin1').trim()
  }

  isEmpty(): boolean {
    return existsSync(join(this.#directory, HEAVY_ORDER)) ? this.#hasNoRecords() : this.#hasNoBytes()
  }

  #hasNoBytes(): boolean {
    const { segment, offset } = settled(this.#ledger, this.#spool)
    return segmentSizes(this.#directory).every((one) => {
      if (one.segment < segment) return true
      return one.size <= (one.segment === segment ? offset : SEGMENT_HEADER_BYTES)
    })
  }

  /** Heavy records have an order of their own, and the rest is settled up to its last record only. */
  #hasNoRecords(): boolean {
    const light = settled(this.#ledger, this.#spool)
    const stored = this.#storedHeavy()
    return segmentSizes(this.#directory).every(({ segment, size }) => {
      const records = this.#records.get(segment) ?? new SegmentRecords()
      this.#records.set(segment, records)
      try {
        records.look(segmentPath(this.#directory, segment), size, recordSeed(this.#spool))
      } catch (error) {
        // It went after it was listed.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
        throw error
      }
      const isRead =
        segment < light.segment || (records.light.at(-1) ?? -1) < (segment === light.segment ? light.offset : 0)
      return isRead && records.heavy.every((offset) => stored.has(keyOf({ segment, offset })))
    })
  }

  #storedHeavy(): ReadonlySet<string> {
    const { offset } = settled(this.#ledger, `${this.#spool}:heavy`)
    const order = decodeOrder(readFileSync(join(this.#directory, HEAVY_ORDER)))
    return new Set(order.filter(({ at }) => at < offset).map(({ position }) => keyOf(position)))
  }
}

/**
 * Waits until everything that a server accepted is stored. It asks the files and not the server, which would take
 * processor time from what is measured.
 */
export const waitForDigest = async (dataDir: string): Promise<void> => {
  const ledger = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { readOnly: true })
  try {
    const backlog = new Backlog(ledger, join(dataDir, 'spool'))
    const deadline = Date.now() + DEADLINE_MS
    while (!backlog.isEmpty()) {
      if (Date.now() > deadline) throw new Error(`not everything was digested within ${DEADLINE_MS} ms`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  } finally {
    ledger.close()
  }
}

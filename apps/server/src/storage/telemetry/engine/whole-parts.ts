import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '../../limits.ts'
import type { CutPart } from './engine-messages.ts'

/**
 * Whether what the engine wrote is whole. The engine does not report a write that fails because the disk is full: the insert
 * is answered as done, or the merge takes the place of its sources, and the files stay empty or short. Only at its start
 * does the engine compare sizes, set such parts aside, and take their sources again, which it keeps for
 * `old_parts_lifetime` seconds. So it is looked meanwhile, and when a part is cut the engine has to start again at once.
 */
export interface WholeParts {
  /** Takes all parts that are there now as they are: the engine has looked at them at its start. */
  begin(): Promise<void>
  /** To be called before an insert and after it; resolves when it may be answered. */
  beforeInsert(): Promise<void>
  afterInsert(): Promise<void>
  /** Looks at all parts that were not looked at yet. */
  look(): Promise<void>
}

export interface WholePartsOptions {
  /** Asks the engine; answers one object for each row. */
  readonly ask: (sql: string) => Promise<readonly Record<string, unknown>[]>
  /** Free space of the engine's volume, in bytes. */
  readonly freeBytes: () => Promise<number>
  /** Is told of parts that are cut. It does not resolve: the engine is to start again before anything else is answered. */
  readonly cut: (parts: readonly CutPart[]) => Promise<never>
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

/** Not part of the size that the engine gives. */
const UNCOUNTED = new Set([
  'checksums.txt',
  'columns.txt',
  'columns_substreams.txt',
  'default_compression_codec.txt',
  'metadata_version.txt',
  'txn_version.txt',
  'uuid.txt',
])

interface Sizes {
  /** Of what the engine counts. */
  bytes: number
  /** A file is empty that never is. */
  hasEmpty: boolean
}

/** Null when the folder is gone, because the part was merged or dropped meanwhile. */
const sizesOf = async (folder: string): Promise<Sizes | null> => {
  const sizes: Sizes = { bytes: 0, hasEmpty: false }
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        const inner = await sizesOf(path)
        if (inner === null) return null
        sizes.bytes += inner.bytes
        sizes.hasEmpty ||= inner.hasEmpty
      } else {
        const { size } = await stat(path)
        if (!UNCOUNTED.has(entry.name)) sizes.bytes += size
        else if (size === 0) sizes.hasEmpty = true
      }
    }
    return sizes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const PARTS = `SELECT table, name, path, partition_id, min_block_number, max_block_number, rows, bytes_on_disk,
    level = 0 AND data_version = min_block_number AS inserted
  FROM system.parts WHERE database = currentDatabase() AND active`

export const createWholeParts = ({
  ask,
  freeBytes,
  cut,
  now = () => performance.now(),
}: WholePartsOptions): WholeParts => {
  /** Paths of parts that are whole, or that the engine took at its start. */
  let known = new Set<string>()
  let lowUntil = -Infinity

  const isLow = async (): Promise<boolean> => {
    if ((await freeBytes()) < LIMITS.ENGINE_LOW_SPACE_BYTES) lowUntil = now() + LIMITS.ENGINE_LOW_SPACE_REMEMBERED_MS
    return now() < lowUntil
  }

  /** @param unanswered an insert waits for this look, as do all others that wrote since the last one */
  const lookOnce = async (unanswered: boolean): Promise<void> => {
    const low = await isLow()
    const parts = await ask(PARTS)
    const seen = new Set<string>()
    const found: CutPart[] = []
    for (const part of parts) {
      const path = String(part['path'])
      if (!known.has(path)) {
        const sizes = await sizesOf(path)
        // Sizes alone tell of a full disk only when it was nearly full; else somebody changed the files.
        const isCut = sizes !== null && (sizes.hasEmpty || (low && sizes.bytes < Number(part['bytes_on_disk'])))
        if (isCut) {
          found.push({
            table: String(part['table']),
            name: String(part['name']),
            partition: String(part['partition_id']),
            firstBlock: Number(part['min_block_number']),
            lastBlock: Number(part['max_block_number']),
            rows: Number(part['rows']),
            unanswered: unanswered && Number(part['inserted']) === 1,
          })
        }
      }
      seen.add(path)
    }
    if (found.length > 0) await cut(found)
    known = seen
  }

  let last: Promise<void> = Promise.resolve()
  /** One after the other; each begins after it was asked for. */
  const look = (unanswered: boolean): Promise<void> => {
    const next = last.then(() => lookOnce(unanswered))
    // Whoever asked is told that it failed; the next look begins all the same, with the same parts.
    last = next.catch(() => undefined)
    return next
  }

  return {
    begin: async () => {
      await isLow()
      known = new Set((await ask(PARTS)).map(({ path }) => String(path)))
    },
    beforeInsert: async () => {
      await isLow()
    },
    afterInsert: async () => {
      if (await isLow()) await look(true)
    },
    look: () => look(false),
  }
}

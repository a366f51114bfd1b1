import { readFile, rename, writeFile } from 'node:fs/promises'
import { isObject } from '@firsthand/protocol'
import type { Logger } from '../../lib/logger.ts'
import type { ByteQuotas, SavedBytes } from './byte-quotas.ts'
import type { SavedHours, SpikeProtection } from './spike-protection.ts'

/** What quotas and spike protection have counted, in a small file: a restart forgets at most what came since it was written. */
export interface SavedQuotas {
  readonly bytes: SavedBytes
  readonly hours: SavedHours
}

const NOTHING: SavedQuotas = { bytes: {}, hours: {} }

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Entries that read well; the others are left out. */
const wellFormed = <Entry>(value: unknown, isEntry: (entry: unknown) => entry is Entry): Record<string, Entry> =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, Entry] => isEntry(entry[1])))
    : {}

const isUse = (value: unknown): value is SavedBytes[string] =>
  isObject(value) &&
  [value['day'], value['dayBytes'], value['hour'], value['hourBytes']].every(isCount) &&
  [value['daySmallBytes'] ?? 0, value['hourSmallBytes'] ?? 0].every(isCount)

const isHours = (value: unknown): value is SavedHours[string] =>
  isObject(value) &&
  isCount(value['first']) &&
  Array.isArray(value['hours']) &&
  value['hours'].every((hour) => Array.isArray(hour) && hour.length === 2 && hour.every(isCount)) &&
  (value['held'] === undefined || (Array.isArray(value['held']) && value['held'].every(isCount)))

/** Never rejects: without the file, or with one that cannot be read, counting begins anew. */
export const readQuotas = async (path: string, logger: Logger): Promise<SavedQuotas> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      logger.warn('quotas: what was counted before cannot be read; counting begins anew', {
        path,
        error: String(error),
      })
    }
    return NOTHING
  }
  try {
    const saved: unknown = JSON.parse(text)
    if (!isObject(saved)) throw new Error('it is no JSON object')
    return { bytes: wellFormed(saved['bytes'], isUse), hours: wellFormed(saved['hours'], isHours) }
  } catch (error) {
    logger.warn('quotas: what was counted before cannot be read; counting begins anew', { path, error: String(error) })
    return NOTHING
  }
}

/** Replaces the file whole. Rejects when the disk takes nothing; the counts in memory go on. */
export const writeQuotas = async (path: string, saved: SavedQuotas): Promise<void> => {
  await writeFile(`${path}.tmp`, JSON.stringify(saved), { mode: 0o600 })
  await rename(`${path}.tmp`, path)
}

/** Writes what is counted, when that has changed since it was written or read. */
export const quotaWriter = (
  path: string,
  bytes: Pick<ByteQuotas, 'save' | 'changes'>,
  spikes: Pick<SpikeProtection, 'save' | 'changes'>,
): (() => Promise<void>) => {
  const changes = (): number => bytes.changes() + spikes.changes()
  let written = changes()
  return async () => {
    const now = changes()
    if (now === written) return
    await writeQuotas(path, { bytes: bytes.save(), hours: spikes.save() })
    written = now
  }
}

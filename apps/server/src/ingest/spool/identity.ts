import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../lib/logger.ts'
import { readRange } from './disk.ts'
import type { SpoolDisk } from './disk.ts'
import { SEGMENT_HEADER_BYTES, decodeSegmentHeader, segmentNumbers, segmentPath } from './segment-file.ts'

/** The spool's identity: from its file, else from a segment that carries it, else a new one. */
export const identify = async (directory: string, disk: SpoolDisk, logger: Logger): Promise<string> => {
  const path = join(directory, 'identity')
  const stored = await readFile(path, 'latin1').catch(() => '')
  if (/^[0-9a-f]{32}\n$/.test(stored)) return stored.trim()
  for (const segment of segmentNumbers(await disk.list(directory))) {
    const fd = await disk.open(segmentPath(directory, segment), 'r')
    const id = decodeSegmentHeader(await readRange(disk, fd, 0, SEGMENT_HEADER_BYTES), segment)
    await disk.close(fd)
    if (id === null) continue
    logger.warn('spool: its identity file was missing and is written again', { directory })
    await writeIdentity(path, id, directory, disk)
    return id
  }
  const id = randomBytes(16).toString('hex')
  await writeIdentity(path, id, directory, disk)
  return id
}

const writeIdentity = async (path: string, id: string, directory: string, disk: SpoolDisk): Promise<void> => {
  await writeFile(path, `${id}\n`, { mode: 0o600, flush: true })
  await disk.syncDirectory(directory)
}

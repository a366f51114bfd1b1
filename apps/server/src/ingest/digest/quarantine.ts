import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'

/** Where items go that made a processor throw, so that somebody can find out why. Bounded; the oldest go first. */
export interface Quarantine {
  /** Writing the same name twice changes nothing. Never throws: an item that cannot be kept here is only logged. */
  put(name: string, about: Readonly<Record<string, string | number | null>>, payload: Uint8Array): Promise<void>
}

export const createQuarantine = (options: {
  readonly directory: string
  readonly logger: Logger
  readonly maxBytes?: number
  readonly maxFiles?: number
}): Quarantine => {
  const { directory, logger } = options
  const maxBytes = options.maxBytes ?? LIMITS.QUARANTINE_BYTES
  const maxFiles = options.maxFiles ?? LIMITS.QUARANTINE_FILES
  /** Sizes by name, oldest first; read from the folder at first use. */
  let files: Map<string, number> | null = null
  let total = 0

  const load = async (): Promise<Map<string, number>> => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const found = await Promise.all(
      (await readdir(directory)).map(async (name) => ({ name, ...(await describe(join(directory, name))) })),
    )
    found.sort((left, right) => left.modified - right.modified)
    total = found.reduce((sum, file) => sum + file.size, 0)
    return new Map(found.map((file) => [file.name, file.size]))
  }

  return {
    put: async (name, about, payload) => {
      try {
        files ??= await load()
        const file = `${name}.item`
        if (files.has(file)) return
        const content = Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), payload])
        if (content.byteLength > maxBytes) return
        for (const [oldest, size] of files) {
          if (total + content.byteLength <= maxBytes && files.size < maxFiles) break
          await unlink(join(directory, oldest))
          files.delete(oldest)
          total -= size
        }
        await writeFile(join(directory, file), content, { mode: 0o600 })
        files.set(file, content.byteLength)
        total += content.byteLength
      } catch (error) {
        files = null
        logger.warn('digest: an item could not be put into quarantine', { directory, name, error: String(error) })
      }
    },
  }
}

const describe = async (path: string): Promise<{ size: number; modified: number }> => {
  const { size, mtimeMs } = await stat(path)
  return { size, modified: mtimeMs }
}

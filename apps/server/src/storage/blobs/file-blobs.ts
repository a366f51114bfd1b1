import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readBlobKey } from './blob-key.ts'
import type { BlobStore } from './blobs.store.ts'
import { packBlob, unpackBlob } from './packing.ts'

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === 'ENOENT'

/** A new name survives power loss once its folder is on disk. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Whether a file has these bytes. It is read, not only measured: a damaged one is written anew, and this is cheaper than
 * packing the content, which is the next thing to do otherwise.
 */
const holds = async (path: string, size: number, bytes: Uint8Array): Promise<boolean> => {
  if (size !== bytes.byteLength) return false
  // A file that cannot be read is as good as damaged.
  const stored = await readFile(path).catch(() => null)
  return stored !== null && stored.equals(bytes)
}

/**
 * Blobs as files, `<folder>/<organisation>/<first two digits>/<sha256 of the content>`, packed. A file has its final name only once its bytes
 * are on disk, so a name stands for whole content whatever happens.
 *
 * @param folder made when absent
 */
export const createFileBlobs = (folder: string): BlobStore => {
  const pathOf = (organizationId: number, hash: string): string =>
    join(folder, String(organizationId), hash.slice(0, 2), hash)

  const store = async (organizationId: number, bytes: Uint8Array): Promise<{ key: string; folder: string | null }> => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    const key = `${organizationId}/${hash}`
    const path = pathOf(organizationId, hash)
    // Nearly always because it is new. If the folder is at fault, writing fails next and says why.
    const known = await stat(path).catch(() => null)
    if (known !== null && (await holds(path, known.size, bytes))) return { key, folder: null }
    const packed = await packBlob(bytes)
    if (known !== null && (await holds(path, known.size, packed))) return { key, folder: null }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
    try {
      const handle = await open(temporary, 'wx', 0o600)
      try {
        await handle.writeFile(packed)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    return { key, folder: dirname(path) }
  }

  return {
    put: async (blobs) => {
      const keys: string[] = []
      const folders = new Set<string>()
      for (const blob of blobs) {
        const stored = await store(blob.organizationId, blob.bytes)
        keys.push(stored.key)
        if (stored.folder !== null) folders.add(stored.folder)
      }
      const parents = new Set([...folders].map((path) => dirname(path)))
      for (const path of [...folders, ...parents]) await syncFolder(path)
      if (parents.size > 0) await syncFolder(folder)
      return keys
    },
    get: async (key) => {
      const place = readBlobKey(key)
      if (place === null) return null
      const path = pathOf(place.organizationId, place.hash)
      try {
        return await unpackBlob(await readFile(path), place.hash, path)
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    remove: async (keys) => {
      for (const key of keys) {
        const place = readBlobKey(key)
        if (place === null) continue
        try {
          await unlink(pathOf(place.organizationId, place.hash))
        } catch (error) {
          if (!isMissing(error)) throw error
        }
      }
    },
  }
}

import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { atMost } from '../../lib/at-most.ts'
import { LIMITS } from '../limits.ts'
import { hashOfBlob, readBlobKey } from './blob-key.ts'
import type { BlobFile, BlobStore } from './blobs.store.ts'
import { packBlob, packPieces, packsWell, unpackBlob, unpackPieces } from './packing.ts'
import { SourceFault, findSource, readSource } from './source-file.ts'

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

/** The same for a large file, which is read piece by piece. */
const isWhole = async (path: string, hash: string): Promise<boolean> => {
  try {
    for await (const piece of unpackPieces(readPieces(path), hash, path)) void piece
    return true
  } catch {
    return false
  }
}

/** Opens the file when the first piece is asked for. */
const readPieces = async function* (path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path)
}

/** On another file system, or one that knows no links. */
const CANNOT_LINK: ReadonlySet<unknown> = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** A second name for a file that is on disk already. @returns false when that cannot be */
const linkTo = async (file: string, name: string): Promise<boolean> => {
  try {
    await link(file, name)
    return true
  } catch (error) {
    if (CANNOT_LINK.has((error as NodeJS.ErrnoException).code)) return false
    throw error
  }
}

/** Writes what a file holds under another name, durably: packed, linked, or as it is. */
const placeFile = async (file: BlobFile, path: string): Promise<void> => {
  const copy = (content: AsyncIterable<Uint8Array>): Promise<void> =>
    pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
  if (await packsWell(file.path, file.bytes)) {
    await copy(packPieces(readSource(file), file.bytes))
    return
  }
  if (await linkTo(file.path, path)) {
    for await (const piece of readSource(file)) void piece
    return
  }
  await copy(readSource(file))
}

/** @returns the folder that has a new name; null when the bytes were there already */
const store = async (path: string, bytes: Uint8Array): Promise<string | null> => {
  // Nearly always because it is new. If the folder is at fault, writing fails next and says why.
  const known = await stat(path).catch(() => null)
  if (known !== null && (await holds(path, known.size, bytes))) return null
  const packed = await packBlob(bytes)
  if (known !== null && (await holds(path, known.size, packed))) return null
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
  return dirname(path)
}

/** @returns as `store` */
const storeFile = async (path: string, file: BlobFile): Promise<string | null> => {
  if (await isWhole(path, file.sha256)) return null
  await findSource(file)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // A name of its own would stay for ever when this process is killed. What was under way is repeated, one after the other.
  const temporary = `${path}.tmp`
  await rm(temporary, { force: true })
  try {
    await placeFile(file, temporary)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return dirname(path)
}

/** And those above them, up to that of all blobs. */
const syncFolders = async (folders: ReadonlySet<string>, folder: string): Promise<void> => {
  const parents = new Set([...folders].map((path) => dirname(path)))
  for (const path of [...folders, ...parents]) await syncFolder(path)
  if (parents.size > 0) await syncFolder(folder)
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

  return {
    put: async (blobs) => {
      const folders = new Set<string>()
      const keys = await atMost(LIMITS.BLOB_FILES_AT_ONCE, blobs, async (blob) => {
        const { organizationId, bytes } = blob
        const hash = hashOfBlob(blob)
        const changed = await store(pathOf(organizationId, hash), bytes)
        if (changed !== null) folders.add(changed)
        return `${organizationId}/${hash}`
      })
      await syncFolders(folders, folder)
      return keys
    },
    putFile: async (file) => {
      try {
        const changed = await storeFile(pathOf(file.organizationId, file.sha256), file)
        if (changed !== null) await syncFolders(new Set([changed]), folder)
        return `${file.organizationId}/${file.sha256}`
      } catch (error) {
        if (error instanceof SourceFault) return null
        throw error
      }
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
    open: async (key) => {
      const place = readBlobKey(key)
      if (place === null) return null
      const path = pathOf(place.organizationId, place.hash)
      const isThere = await stat(path).then(
        () => true,
        (error: unknown) => {
          if (isMissing(error)) return false
          throw error
        },
      )
      return isThere ? unpackPieces(readPieces(path), place.hash, path) : null
    },
    sizes: async (keys) => {
      const sizes = new Map<string, number>()
      for (const key of keys) {
        const place = readBlobKey(key)
        if (place === null) continue
        try {
          sizes.set(key, (await stat(pathOf(place.organizationId, place.hash))).size)
        } catch (error) {
          if (!isMissing(error)) throw error
        }
      }
      return sizes
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

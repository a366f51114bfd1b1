import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { BlobFile } from './blobs.store.ts'

/** The file that was to become a blob is not there, or is not what it was. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
}

/**
 * What the file holds, to its end.
 *
 * @throws SourceFault
 */
export const readSource = async function* ({ path, bytes, sha256 }: BlobFile): AsyncGenerator<Uint8Array> {
  await findSource({ path, bytes })
  const sum = createHash('sha256')
  for await (const piece of createReadStream(path)) {
    sum.update(piece as Buffer)
    yield piece as Buffer
  }
  if (sum.digest('hex') !== sha256) throw new SourceFault(`${path} is not what was received`)
}

/** @throws SourceFault when the file is not there, or has another size */
export const findSource = async ({ path, bytes }: Pick<BlobFile, 'path' | 'bytes'>): Promise<void> => {
  const found = await stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT') return null
    throw error
  })
  if (found?.size !== bytes) throw new SourceFault(`${path} is not there, or not whole`)
}

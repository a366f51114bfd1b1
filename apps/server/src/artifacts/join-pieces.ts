import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { BundleFault } from './bundle/unpack.ts'
import type { Chunks } from './ledger/chunks.ts'

/**
 * Writes the pieces of a file one behind the other; together they must be what it is called by.
 *
 * @throws BundleFault when one is not there any more, or they are something else
 */
export const joinPieces = async (
  chunks: Pick<Chunks, 'keysOf' | 'read'>,
  wanted: { readonly organizationId: number; readonly checksum: string; readonly pieces: readonly string[] },
  path: string,
): Promise<void> => {
  const keys = await chunks.keysOf(wanted.organizationId, wanted.pieces)
  const sum = createHash('sha1')
  const file = await open(path, 'wx', 0o600)
  try {
    for (const piece of wanted.pieces) {
      const key = keys.get(piece)?.key
      const bytes = key === undefined ? null : await chunks.read(key)
      if (bytes === null) throw new BundleFault('A piece of this upload is not there any more. Upload it again.')
      sum.update(bytes)
      await file.writeFile(bytes)
    }
  } finally {
    await file.close()
  }
  if (sum.digest('hex') !== wanted.checksum) {
    throw new BundleFault(
      'The pieces of this upload, in their order, are not what its checksum says. Build and upload it again.',
    )
  }
}

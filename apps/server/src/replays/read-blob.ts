import { messageOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import { DamagedBlob } from '../lib/store-fault.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'

export interface BlobReading {
  readonly blobs: Pick<BlobStore, 'get'>
  readonly logger: Logger
}

/** A damaged blob is as good as none, unlike one of a store that does not answer. */
export const readBlob = async ({ blobs, logger }: BlobReading, key: string): Promise<Uint8Array | null> => {
  try {
    return await blobs.get(key)
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error
    logger.warn('a blob of a replay is damaged and left out', { key, error: messageOf(error.cause) })
    return null
  }
}

import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DamagedBlob } from '../../lib/store-fault.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { MapToPrepare, UploadedSource } from '../ledger/preparing.ts'
import type { WrittenSources } from './messages.ts'

/** Sources that were uploaded by themselves, written for the process that reads maps: once for all maps of a bundle. */
export const createBundleSources = (parts: {
  readonly blobs: Pick<BlobStore, 'open'>
  readonly folder: string
}): ((map: Pick<MapToPrepare, 'bundleId' | 'sources'>) => Promise<WrittenSources | null>) => {
  let last: { readonly bundleId: number; readonly written: WrittenSources } | null = null
  const path = join(parts.folder, 'sources')
  return async ({ bundleId, sources }) => {
    if (sources.length === 0) return null
    if (last?.bundleId === bundleId) return last.written
    last = null
    await rm(path, { force: true })
    last = { bundleId, written: { path, files: await write(parts.blobs, path, sources) } }
    return last.written
  }
}

/** @returns those that are there and whole */
const write = async (
  blobs: Pick<BlobStore, 'open'>,
  path: string,
  sources: readonly UploadedSource[],
): Promise<WrittenSources['files']> => {
  const files: { url: string; start: number; bytes: number }[] = []
  const file = await open(path, 'wx', 0o600)
  try {
    let at = 0
    for (const { blobKey, url } of sources) {
      const start = at
      try {
        const pieces = (await blobs.open(blobKey)) ?? []
        for await (const piece of pieces) {
          await file.write(piece, 0, piece.byteLength, at)
          at += piece.byteLength
        }
        files.push({ url, start, bytes: at - start })
      } catch (error) {
        if (!(error instanceof DamagedBlob)) throw error
      }
    }
  } finally {
    await file.close()
  }
  return files
}

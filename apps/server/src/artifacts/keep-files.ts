import { webcrypto } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import type { Ledger } from '../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../storage/ledger/note-blobs.ts'
import type { NewFile } from './ledger/bundles.ts'
import { HELD_SOON_MS } from './ledger/keeping.ts'

export interface FileToKeep {
  readonly content: Uint8Array<ArrayBuffer>
  readonly about: Pick<NewFile, 'debug_id' | 'kind' | 'source_map' | 'type' | 'url'> & { readonly headers?: string }
}

/** Stores the bytes of files that came by themselves. Whoever dies before they are in a bundle leaves nothing that stays. */
export const keepFiles = async (
  {
    blobs,
    clock,
    ledger,
  }: { readonly blobs: Pick<BlobStore, 'put'>; readonly clock: Clock; readonly ledger: Pick<Ledger, 'db'> },
  organizationId: number,
  files: readonly FileToKeep[],
): Promise<readonly NewFile[]> => {
  const rows: NewFile[] = []
  const contents: { organizationId: number; bytes: Uint8Array<ArrayBuffer>; sha256: string }[] = []
  for (const { about, content } of files) {
    // Off this thread: they may be large.
    const [sha1, sha256] = await Promise.all([sumOf('SHA-1', content), sumOf('SHA-256', content)])
    const blob_key = `${organizationId}/${sha256}`
    rows.push({ ...about, headers: about.headers ?? '{}', blob_key, bytes: content.byteLength, sha1 })
    contents.push({ organizationId, bytes: content, sha256 })
  }
  const noted = new Map(rows.map(({ blob_key: key, bytes }) => [key, { key, organizationId, bytes }]))
  await noteBlobsUntil(ledger.db, [...noted.values()], clock.now() + HELD_SOON_MS)
  await blobs.put(contents)
  return rows
}

const sumOf = async (name: 'SHA-1' | 'SHA-256', bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest(name, bytes)).toString('hex')

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../../storage/ledger/note-blobs.ts'
import { BundleFault } from '../bundle/unpack.ts'
import { plainDebugId } from '../debug-id.ts'
import { HELD_SOON_MS } from '../ledger/keeping.ts'
import { LIMITS } from '../limits.ts'
import { MappingIndexer } from '../retrace/mapping-index.ts'
import { boundedBytes } from './identify/file-bytes.ts'
import { identify } from './identify/identify.ts'
import type { DebugFile, KeptDebugFile } from './ledger/debug-files.ts'

export interface KeepParts {
  readonly ledger: Pick<Ledger, 'db'>
  readonly blobs: Pick<BlobStore, 'put' | 'putFile'>
}

/** Read at once: so much is hashed, and looked through for classes, before others get their turn. */
const PIECE_BYTES = 256 * 1024

/**
 * Finds out what a file is, and stores it.
 *
 * @throws BundleFault for one that is not taken
 */
export const keepFile = async (
  { blobs, ledger }: KeepParts,
  path: string,
  { file, now }: { readonly file: Pick<DebugFile, 'organization_id' | 'name' | 'said_id'>; readonly now: number },
): Promise<KeptDebugFile> => {
  const organizationId = file.organization_id
  const { bytes, identity } = await identityOf(path, file)
  const isMapping = identity.kind === 'proguard'
  if (isMapping && bytes > LIMITS.PROGUARD_MAPPING_BYTES) {
    throw new BundleFault(`This mapping is ${bytes} bytes; ${LIMITS.PROGUARD_MAPPING_BYTES} are taken.`)
  }
  const { index, sha256 } = await readThrough(path, isMapping)
  const until = now + HELD_SOON_MS
  // Noted before they are stored: whoever dies meanwhile leaves nothing that stays.
  await noteBlobsUntil(ledger.db, [{ key: `${organizationId}/${sha256}`, organizationId, bytes }], until)
  const key = await blobs.putFile({ organizationId, path, bytes, sha256 })
  if (key === null) throw new Error(`${path} is not what was read there`)
  const indexKey = index === null ? null : await keepIndex({ blobs, ledger }, { organizationId, index, until })
  return {
    kind: identity.kind,
    symbol_type: identity.symbolType,
    architecture: identity.architecture,
    debug_id: identity.debugId,
    code_id: identity.codeId,
    features: JSON.stringify(identity.features),
    blob_key: key,
    bytes,
    index_key: indexKey,
    index_bytes: index?.byteLength ?? 0,
  }
}

const identityOf = async (path: string, { name, said_id: saidId }: Pick<DebugFile, 'name' | 'said_id'>) => {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const identity = await identify(boundedBytes(handle, size), { name, saidId })
    if (!identity.ok) throw new BundleFault(identity.error)
    // An id of nothing but zeros is none.
    const debugId = plainDebugId(identity.value.debugId)
    if (debugId === null && saidId === '') {
      throw new BundleFault(
        'This file carries no debug id, so no event could ever name it. Build it with one: for ELF, link with --build-id.',
      )
    }
    return { bytes: size, identity: { ...identity.value, debugId: debugId ?? saidId } }
  } finally {
    await handle.close()
  }
}

const readThrough = async (
  path: string,
  isMapping: boolean,
): Promise<{ readonly sha256: string; readonly index: Buffer | null }> => {
  const sum = createHash('sha256')
  const indexer = isMapping ? new MappingIndexer() : null
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: PIECE_BYTES })
  for await (const piece of pieces) {
    sum.update(piece)
    if (indexer?.push(piece) === false) {
      throw new BundleFault(
        `This mapping has more than ${LIMITS.PROGUARD_CLASSES} classes, which is all that is taken.`,
      )
    }
  }
  const index = indexer?.end() ?? null
  if (isMapping && index === null) {
    throw new BundleFault(
      'This is no mapping of ProGuard or R8: none of its lines names a class (“com.acme.Tea -> a.b:”). Upload the mapping.txt of the build.',
    )
  }
  return { sha256: sum.digest('hex'), index }
}

const keepIndex = async (
  { blobs, ledger }: KeepParts,
  { index, organizationId, until }: { readonly index: Buffer; readonly organizationId: number; readonly until: number },
): Promise<string> => {
  const [key] = await blobs.put([{ organizationId, bytes: index }])
  if (key === undefined) throw new Error('The blob store gave no key for the index of a mapping.')
  await noteBlobsUntil(ledger.db, [{ key, organizationId, bytes: index.byteLength }], until)
  return key
}

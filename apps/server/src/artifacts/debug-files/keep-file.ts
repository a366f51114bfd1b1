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
import type { MapProcess, Reading } from '../prepare/map-process.ts'
import { boundedBytes } from './identify/file-bytes.ts'
import { identify } from './identify/identify.ts'
import type { DebugFile, KeptDebugFile } from './ledger/debug-files.ts'

export interface KeepParts {
  readonly ledger: Pick<Ledger, 'db'>
  readonly blobs: Pick<BlobStore, 'putFile'>
  /** The process that prepares mappings. */
  readonly reader: Pick<MapProcess, 'ask'>
}

/** Read at once: so much is hashed before others get their turn. */
const PIECE_BYTES = 256 * 1024

/**
 * Finds out what a file is, and stores it; a mapping also as it is looked into, which is made beside the file.
 *
 * @throws BundleFault for one that is not taken
 */
export const keepFile = async (
  { blobs, ledger, reader }: KeepParts,
  path: string,
  { file, now }: { readonly file: Pick<DebugFile, 'organization_id' | 'name' | 'said_id'>; readonly now: number },
): Promise<KeptDebugFile> => {
  const organizationId = file.organization_id
  const { bytes, identity } = await identityOf(path, file)
  const isMapping = identity.kind === 'proguard'
  if (isMapping && bytes > LIMITS.PROGUARD_MAPPING_BYTES) {
    throw new BundleFault(`This mapping is ${bytes} bytes; ${LIMITS.PROGUARD_MAPPING_BYTES} are taken.`)
  }
  const made = isMapping ? await prepare(reader, path) : null
  const until = now + HELD_SOON_MS
  const store = async (one: { readonly path: string; readonly bytes: number; readonly sha256: string }) => {
    // Noted before it is stored: whoever dies meanwhile leaves nothing that stays.
    const noted = { key: `${organizationId}/${one.sha256}`, organizationId, bytes: one.bytes }
    await noteBlobsUntil(ledger.db, [noted], until)
    const key = await blobs.putFile({ organizationId, ...one })
    if (key === null) throw new Error(`${one.path} is not what was read there`)
    return key
  }
  return {
    kind: identity.kind,
    symbol_type: identity.symbolType,
    architecture: identity.architecture,
    debug_id: identity.debugId,
    code_id: identity.codeId,
    features: JSON.stringify(identity.features),
    blob_key: await store({ path, bytes, sha256: await hashOf(path) }),
    bytes,
    index_key: made === null ? null : await store(made),
    index_bytes: made?.bytes ?? 0,
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

const hashOf = async (path: string): Promise<string> => {
  const sum = createHash('sha256')
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: PIECE_BYTES })
  for await (const piece of pieces) sum.update(piece)
  return sum.digest('hex')
}

const prepare = async (
  reader: Pick<MapProcess, 'ask'>,
  path: string,
): Promise<{ readonly path: string; readonly bytes: number; readonly sha256: string }> => {
  const out = `${path}.prepared`
  const answer = await reader.ask(
    { kind: 'mapping', mapping: path, out },
    { heapMib: LIMITS.PROGUARD_HEAP_MIB, withinMs: LIMITS.PREPARE_MAP_MS },
  )
  if (answer.kind === 'prepared') return { path: out, bytes: answer.bytes, sha256: answer.sha256 }
  if (answer.kind === 'refused') throw new BundleFault(answer.sentence)
  throw new Error(`a mapping could not be prepared: ${faultOf(answer)}`)
}

const faultOf = (answer: Exclude<Reading, { kind: 'prepared' | 'refused' }>): string => {
  switch (answer.kind) {
    case 'late':
      return `it took more than ${LIMITS.PREPARE_MAP_MS / 1000} seconds`
    case 'beyond':
      return `it took more memory than ${LIMITS.PROGUARD_HEAP_MIB} MiB`
    case 'away':
    case 'ended':
    case 'failed':
      return answer.error
  }
}

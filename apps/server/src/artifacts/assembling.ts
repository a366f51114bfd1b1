import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import type { Ledger } from '../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../storage/ledger/note-blobs.ts'
import { BundleFault, unpackBundle } from './bundle/unpack.ts'
import type { UnpackedFile } from './bundle/unpacked.ts'
import { createTurns } from './in-turn.ts'
import { joinPieces } from './join-pieces.ts'
import { bytesWhenPrepared, type Bundle, type Bundles, type NewFile } from './ledger/bundles.ts'
import type { Chunks } from './ledger/chunks.ts'
import { HELD_SOON_MS } from './ledger/keeping.ts'
import { LIMITS } from './limits.ts'
import { keptEnough } from './room.ts'

export interface AssemblingParts {
  readonly ledger: Ledger
  readonly blobs: Pick<BlobStore, 'put' | 'putFile'>
  readonly bundles: Bundles
  readonly chunks: Pick<Chunks, 'keysOf' | 'read' | 'touch'>
  /** Folder for bundles that are unpacked; what is in it belongs to no one after a start. */
  readonly folder: string
  readonly clock: Clock
  readonly logger: Logger
  /** Called when a bundle of an organisation has its files. */
  readonly finished: (organizationId: number) => void
  /** Called before the files of a bundle are used, with the release that it names. */
  readonly releaseNamed: (organizationId: number, release: string, bundleId: number) => Promise<void>
}

export type Assembling = ReturnType<typeof createAssembling>

/**
 * Makes bundles of their pieces, one at a time, organisations in turn. What was begun is in the ledger, with its pieces:
 * whoever starts next goes on with it.
 */
export const createAssembling = (parts: AssemblingParts) => {
  const { bundles, clock, folder, logger } = parts
  const underWay = new Map<number, Promise<void>>()
  const inTurn = createTurns()

  const work = async (bundleId: number): Promise<void> => {
    const bundle = await bundles.byId(bundleId)
    if (bundle === null || bundle.state !== 'assembling') return
    if (!(await bundles.attempt(bundle))) {
      await bundles.fail(bundleId, GIVEN_UP, clock.now())
      return
    }
    const own = join(folder, String(bundleId))
    try {
      await rm(own, { recursive: true, force: true })
      await mkdir(own, { recursive: true, mode: 0o700 })
      await assemble(parts, bundle, own)
    } catch (error) {
      if (error instanceof BundleFault) {
        await bundles.fail(bundleId, error.message, clock.now())
        return
      }
      logger.warn('artifacts: a bundle could not be stored; it is tried again', {
        bundle: bundleId,
        error: stackOf(error),
      })
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  }

  const begin = ({ id: bundleId, organization_id }: Pick<Bundle, 'id' | 'organization_id'>): Promise<void> => {
    const known = underWay.get(bundleId)
    if (known !== undefined) return known
    const run = inTurn(organization_id, () => work(bundleId))
      .catch((error: unknown) =>
        logger.warn('artifacts: a bundle waits for the ledger', { bundle: bundleId, error: stackOf(error) }),
      )
      .finally(() => underWay.delete(bundleId))
    underWay.set(bundleId, run)
    return run
  }

  return {
    begin,

    /** Begins what nobody is at, of an earlier process or of a try that failed. Its pieces stay until it has its files. */
    goOn: async (): Promise<void> => {
      for (const bundle of await bundles.atWork()) {
        await parts.chunks.touch(bundle.organization_id, piecesOf(bundle), clock.now())
        void begin(bundle)
      }
    },

    /** Only before anything is begun. */
    clear: (): Promise<void> => rm(folder, { recursive: true, force: true }),
  }
}

const GIVEN_UP = `This bundle could not be read in ${LIMITS.ASSEMBLE_ATTEMPTS} tries, in which the server failed or ended. Its log says why. Upload it again, or in parts.`

const piecesOf = (bundle: Bundle): readonly string[] => JSON.parse(bundle.chunks) as readonly string[]

const assemble = async (parts: AssemblingParts, bundle: Bundle, folder: string): Promise<void> => {
  const path = join(folder, 'bundle')
  const wanted = {
    organizationId: bundle.organization_id,
    checksum: bundle.checksum,
    pieces: piecesOf(bundle),
  }
  await joinPieces(parts.chunks, wanted, path)
  const files: NewFile[] = []
  let bytes = await parts.bundles.keptBytes(bundle.organization_id)
  for await (const some of unpackBundle(path, folder)) {
    bytes += some.reduce((sum, file) => sum + file.bytes + bytesWhenPrepared(file), 0)
    if (bytes > LIMITS.ARTIFACTS_KEPT_BYTES) throw new BundleFault(keptEnough())
    files.push(...(await keep(parts, bundle.organization_id, some)))
  }
  if (bundle.release_version !== '') {
    await parts.releaseNamed(bundle.organization_id, bundle.release_version, bundle.id)
  }
  await parts.bundles.finish(bundle, files, parts.clock.now())
  parts.finished(bundle.organization_id)
}

/** Notes blobs before they are stored: whoever dies meanwhile leaves nothing that stays. */
const keep = async (
  { blobs, clock, ledger }: AssemblingParts,
  organizationId: number,
  files: readonly UnpackedFile[],
): Promise<readonly NewFile[]> => {
  const noted = files.map(({ sha256, bytes }) => ({ key: `${organizationId}/${sha256}`, organizationId, bytes }))
  await noteBlobsUntil(
    ledger.db,
    [...new Map(noted.map((blob) => [blob.key, blob])).values()],
    clock.now() + HELD_SOON_MS,
  )
  const inMemory = files.flatMap(({ content, sha256 }) =>
    content === null ? [] : [{ organizationId, bytes: content, sha256 }],
  )
  if (inMemory.length > 0) await blobs.put(inMemory)
  for (const { path, bytes, sha256 } of files) {
    if (path === null) continue
    const key = await blobs.putFile({ organizationId, path, bytes, sha256 })
    if (key === null) throw new Error(`${path} is not what was unpacked there`)
    await rm(path)
  }
  return files.map((file) => ({
    kind: file.kind,
    type: file.type,
    url: file.url,
    debug_id: file.debugId,
    source_map: file.sourceMap,
    headers: JSON.stringify(file.headers),
    blob_key: `${organizationId}/${file.sha256}`,
    bytes: file.bytes,
    sha1: file.sha1,
  }))
}

import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { badRequest, HttpError, type Upload } from '../../http/index.ts'
import { NotAsListed, unpackLarge } from '../bundle/unpack-large.ts'
import { listArchive, type ArchivedFile } from '../bundle/zip.ts'
import { plainDebugId } from '../debug-id.ts'
import type { Bundles } from '../ledger/bundles.ts'
import { LIMITS } from '../limits.ts'
import { keptEnough } from '../room.ts'
import { partsOf } from '../upload/parts.ts'
import { shortName } from './assemble-files.ts'
import type { AssemblingFiles } from './assembling-files.ts'
import { idInName } from './identify/identify.ts'
import type { DebugFile, DebugFiles } from './ledger/debug-files.ts'

interface Place {
  readonly organizationId: number
  readonly projectId: number
}

const MOST = {
  parts: 8,
  partBytes: LIMITS.DEBUG_ARCHIVE_BYTES,
  tooLarge: `An archive of debug files may be ${LIMITS.DEBUG_ARCHIVE_BYTES} bytes in one call. Use a newer sentry-cli, which sends files in pieces.`,
  tooMany: 'The form has more than 8 parts; its part “file” is the archive.',
}

/** Takes debug files that come in one archive, as older programs send them. */
export const createTakeArchive = (parts: {
  readonly files: DebugFiles
  readonly bundles: Pick<Bundles, 'keptBytes'>
  readonly assembling: Pick<AssemblingFiles, 'begin'>
  readonly folder: string
  readonly clock: Clock
}) => {
  const { assembling, bundles, clock, files, folder } = parts

  const take = async (place: Place, archive: string, listed: ArchivedFile, path: string): Promise<DebugFile> => {
    const checksum = await unpackTo(path, archive, listed)
    const saidId = plainDebugId(idInName(listed.name)) ?? ''
    const key = { ...place, checksum, saidId }
    const known = await files.find(key)
    const now = clock.now()
    if (known?.state === 'ok') {
      await files.again(known.id, now)
      return { ...known, uploaded_at: now }
    }
    const id = await files.begin(key, { name: shortName(listed.name), pieces: [], now })
    await assembling.begin({ id, organization_id: place.organizationId }, path)
    const file = await files.byId(id)
    if (file?.state === 'ok') return file
    if (file?.state !== 'assembling') throw refusalOf(listed, file?.error ?? 'it was deleted while it was uploaded.')
    // What the archive holds is gone with this call, so nobody could go on with it.
    await files.fail(id, NOT_STORED, clock.now())
    throw new HttpError(503, NOT_STORED)
  }

  /** @throws HttpError 400, 413, 503 */
  return async (place: Place, upload: Upload): Promise<readonly DebugFile[]> => {
    if ((await bundles.keptBytes(place.organizationId)) >= LIMITS.ARTIFACTS_KEPT_BYTES) {
      throw new HttpError(413, keptEnough())
    }
    const own = join(folder, randomUUID())
    await mkdir(own, { recursive: true, mode: 0o700 })
    try {
      const taken: DebugFile[] = []
      let archives = 0
      for await (const part of partsOf(upload, MOST)) {
        if (part.name !== 'file') continue
        archives += 1
        const archive = join(own, `archive-${archives}`)
        await writeFile(archive, part.data, { mode: 0o600 })
        for (const [index, listed] of filesOf(part.data).entries()) {
          const path = join(own, `${archives}-${index}`)
          taken.push(await take(place, archive, listed, path))
          await rm(path, { force: true })
        }
      }
      // An archive may be empty: sentry-cli leaves out mappings that have no lines.
      if (archives === 0) throw badRequest('The form has no part “file” with an archive of debug files.')
      return taken
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  }
}

const NOT_STORED = 'The server could not store a debug file; its log says why. Upload it again later.'

const refusalOf = (listed: ArchivedFile, error: string): HttpError =>
  error === keptEnough() ? new HttpError(413, error) : badRequest(`${listed.name}: ${error}`)

const filesOf = (archive: Buffer): readonly ArchivedFile[] => {
  const listed = listArchive(
    { size: archive.byteLength, read: (at, length) => archive.subarray(at, at + length) },
    LIMITS.DEBUG_ARCHIVE_FILES,
  )
  if (!listed.ok) throw badRequest(listed.error)
  return listed.value
}

/** @returns its SHA-1 */
const unpackTo = async (path: string, archive: string, listed: ArchivedFile): Promise<string> => {
  const sum = createHash('sha1')
  const out = await open(path, 'wx', 0o600)
  try {
    for await (const piece of unpackLarge(archive, listed)) {
      sum.update(piece)
      await out.writeFile(piece)
    }
  } catch (error) {
    if (!(error instanceof NotAsListed)) throw error
    throw badRequest(`“${listed.name}” of the archive is not what its list says. Build and upload it again.`)
  } finally {
    await out.close()
  }
  return sum.digest('hex')
}

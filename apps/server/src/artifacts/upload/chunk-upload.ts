import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { badRequest, HttpError, type Upload } from '../../http/index.ts'
import type { Part } from '../../ingest/index.ts'
import { LIMITS } from '../limits.ts'
import type { Chunks } from '../ledger/chunks.ts'
import { partsOf } from './parts.ts'

const unpack = promisify(gunzip)

const MIB = 1024 * 1024

const TOO_LARGE = `Chunk size too large: a piece of a file may be ${LIMITS.UPLOAD_CHUNK_BYTES} bytes. GET this address says so.`
const TOO_MANY = `Too many chunks: one request may have ${LIMITS.UPLOAD_CHUNKS_PER_REQUEST}.`
const REQUEST_TOO_LARGE = `Request too large: its pieces may be ${LIMITS.UPLOAD_REQUEST_BYTES} bytes together.`

/** What is packed may be a little larger than what it holds. */
const PACKED_BYTES = LIMITS.UPLOAD_CHUNK_BYTES + 64 * 1024

const contentOf = async (part: Part): Promise<Buffer> => {
  if (part.name === 'file') return part.data
  try {
    return await unpack(part.data, { maxOutputLength: LIMITS.UPLOAD_CHUNK_BYTES + 1 })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw badRequest(TOO_LARGE)
    throw badRequest(`The piece ${(part.filename ?? '').slice(0, 64)} is not packed by gzip, or was damaged.`)
  }
}

/** Takes pieces of files, one after the other; those before a wrong one are kept. @throws HttpError 400, 413 */
export const takeChunks = async (
  chunks: Chunks,
  organizationId: number,
  upload: Upload,
  now: number,
): Promise<void> => {
  let left = LIMITS.UPLOAD_CHUNKS_KEPT_BYTES - (await chunks.keptBytes(organizationId))
  let size = 0
  const most = {
    parts: LIMITS.UPLOAD_CHUNKS_PER_REQUEST,
    partBytes: PACKED_BYTES,
    tooLarge: TOO_LARGE,
    tooMany: TOO_MANY,
  }
  for await (const part of partsOf(upload, most)) {
    if (part.name !== 'file' && part.name !== 'file_gzip') continue
    const content = await contentOf(part)
    if (content.byteLength > LIMITS.UPLOAD_CHUNK_BYTES) throw badRequest(TOO_LARGE)
    // As clients count: four whole pieces that gzip made a little larger are no more than what they may send.
    size += content.byteLength
    if (size > LIMITS.UPLOAD_REQUEST_BYTES) throw badRequest(REQUEST_TOO_LARGE)
    const checksum = createHash('sha1').update(content).digest('hex')
    if (checksum !== part.filename?.toLowerCase()) {
      throw badRequest(
        `A piece is called ${(part.filename ?? 'nothing').slice(0, 64)}, and its SHA-1 is ${checksum}. It was damaged on its way, or is named wrongly.`,
      )
    }
    left -= content.byteLength
    if (left < 0) {
      throw new HttpError(
        413,
        `Unfinished uploads of this organisation take ${LIMITS.UPLOAD_CHUNKS_KEPT_BYTES / MIB} MiB, which is all they may. Wait until those before are done; what is not needed goes after ${LIMITS.UPLOAD_CHUNK_KEPT_MS / 3_600_000} hours.`,
      )
    }
    await chunks.keep(organizationId, checksum, content, now)
  }
}

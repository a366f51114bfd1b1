import { badRequest, HttpError, type Upload } from '../../http/index.ts'
import type { Clock } from '../../lib/clock.ts'
import type { FairQueue } from '../../lib/fair-queue.ts'
import { refusedReleaseName } from '../../lib/release-version.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { aboutBytes } from '../about-file.ts'
import { plainDebugId } from '../debug-id.ts'
import { keepFiles, type FileToKeep } from '../keep-files.ts'
import { bytesWhenPrepared, type Bundles } from '../ledger/bundles.ts'
import type { InRelease, ReleaseFile, ReleaseFiles } from '../ledger/release-files.ts'
import { LIMITS } from '../limits.ts'
import { keptEnough } from '../room.ts'
import { kindOfFile } from './kind-of-file.ts'
import { readForm, type SentFile } from './read-form.ts'

export interface ReceivingParts {
  readonly ledger: Ledger
  readonly blobs: Pick<BlobStore, 'put'>
  readonly bundles: Pick<Bundles, 'keptBytes'>
  readonly files: ReleaseFiles
  /** In front of reading files, which are whole in memory. */
  readonly reading: FairQueue
  readonly clock: Clock
  /** Called when a release of an organisation has a file that it had not. */
  readonly finished: (organizationId: number) => void
  /** Called before the file is used. */
  readonly releaseNamed: (organizationId: number, release: string, projectIds: readonly number[]) => Promise<void>
}

const THERE_ALREADY = 'A file matching this name already exists for the given release, and it is the same one.'
const TOO_MANY = `This release has ${LIMITS.ARCHIVE_FILES} files that were sent by themselves, which is all that is kept. Upload the others with “sentry-cli sourcemaps upload”.`

const toKeep = ({ content, headers, name }: SentFile): FileToKeep => {
  const said = headers.get('sourcemap') ?? headers.get('x-sourcemap') ?? null
  const asCode = aboutBytes('minified_source', content)
  const kind = kindOfFile(name, said ?? asCode.sourceMap)
  const own = kind === 'source_map' ? aboutBytes(kind, content) : asCode
  return {
    content,
    about: {
      kind,
      type: kind,
      url: name,
      debug_id: plainDebugId(headers.get('debug-id')) ?? own.debugId,
      source_map: kind === 'minified_source' ? (said ?? own.sourceMap) : null,
      headers: JSON.stringify(Object.fromEntries([...headers].filter(([header]) => header !== '__proto__'))),
    },
  }
}

/** Takes a file of a release that comes by itself, as older programs send them. @throws HttpError 400, 409, 413 */
export const createReceiving =
  ({ blobs, bundles, clock, files, finished, ledger, reading, releaseNamed }: ReceivingParts) =>
  async (place: InRelease & { readonly projectId: number }, upload: Upload, caller: string): Promise<ReleaseFile> => {
    const refusal = refusedReleaseName(place.release)
    if (refusal !== null) throw badRequest(refusal)
    const { organizationId } = place
    const leave = await reading.take({ organizationId, caller })
    try {
      const sent = await readForm(upload)
      const wanted = toKeep(sent)
      const size = { kind: wanted.about.kind, bytes: sent.content.byteLength }
      const takes = size.bytes + bytesWhenPrepared(size)
      if ((await bundles.keptBytes(organizationId)) + takes > LIMITS.ARTIFACTS_KEPT_BYTES) {
        throw new HttpError(413, keptEnough())
      }
      const [file] = await keepFiles({ blobs, clock, ledger }, organizationId, [wanted])
      if (file === undefined) throw new Error('a file that is kept has a row')
      await releaseNamed(organizationId, place.release, [place.projectId])
      const added = await files.add(place, { dist: sent.dist, file, now: clock.now() })
      if (added === 'there already') throw new HttpError(409, THERE_ALREADY)
      if (added === 'too many') throw new HttpError(413, TOO_MANY)
      finished(organizationId)
      const row = await files.file(place, added.fileId)
      if (row === null) throw new HttpError(409, 'This file was deleted while it was uploaded. Upload it again.')
      return row
    } finally {
      leave()
    }
  }

import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { notFirsthand, UploadFault, type Api } from './api.ts'
import type { Settings } from './options.ts'
import { zipOf } from './zip.ts'

export interface BuiltFile {
  /** As pages load it: `~/assets/index.js`. */
  readonly url: string
  /** Null where the code says none: it is found by its address in the release. */
  readonly debugId: string | null
  readonly code: Uint8Array
  readonly map: Uint8Array
  /** From the code's address to the map's. */
  readonly mapReference: string
}

interface UploadOptions {
  readonly chunkSize: number
  readonly chunksPerRequest: number
  readonly maxRequestSize: number
}

interface Assembled {
  readonly state: string
  readonly missingChunks: readonly string[]
  readonly detail: string | null
}

type Said = Readonly<Record<string, unknown>>

const isSaid = (value: unknown): value is Said => typeof value === 'object' && value !== null

const isCount = (value: unknown): boolean => typeof value === 'number' && value >= 1

const isUploadOptions = (said: unknown): said is UploadOptions =>
  isSaid(said) && isCount(said['chunkSize']) && isCount(said['chunksPerRequest']) && isCount(said['maxRequestSize'])

const isAssembled = (said: unknown): said is Assembled =>
  isSaid(said) && typeof said['state'] === 'string' && Array.isArray(said['missingChunks'])

/** How long Firsthand may take for reading what was sent. */
const READING_MS = 10 * 60_000
/** Pieces may go between two questions, when another upload of the same files is deleted; not again and again. */
const SENDINGS = 3

/** Sends the files of a build, and waits until Firsthand can use them. What it has already is not sent again. */
export const uploadFiles = async (
  api: Api,
  settings: Settings,
  files: readonly BuiltFile[],
  say: (text: string) => void,
): Promise<void> => {
  const archive = Buffer.concat(await bundleOf(settings, files))
  const options = await api.ask('GET', 'chunk-upload/')
  if (!isUploadOptions(options)) throw notFirsthand(settings.url)
  const pieces = piecesOf(archive, options.chunkSize)
  const asked = {
    checksum: sha1Of(archive),
    chunks: pieces.map(({ sha1 }) => sha1),
    projects: [settings.project],
    ...(settings.release === null ? {} : { version: settings.release }),
    ...(settings.release === null || settings.dist === null ? {} : { dist: settings.dist }),
  }
  const assemble = async (): Promise<Assembled> => {
    const said = await api.ask('POST', 'artifactbundle/assemble/', asked)
    if (!isAssembled(said)) throw notFirsthand(settings.url)
    return said
  }
  const until = Date.now() + READING_MS
  let sendings = 0
  for (let answer = await assemble(); answer.state !== 'ok'; answer = await assemble()) {
    if (answer.state === 'error') throw new UploadFault(`Firsthand cannot use what was built: ${answer.detail}`)
    if (answer.missingChunks.length > 0) {
      sendings += 1
      if (sendings > SENDINGS)
        throw new UploadFault('Firsthand does not keep what is sent. Its log says why; build again.')
      const missing = new Set(answer.missingChunks)
      const wanted = new Map(pieces.filter(({ sha1 }) => missing.has(sha1)).map((piece) => [piece.sha1, piece]))
      await send(api, [...wanted.values()], options, say)
    } else {
      if (Date.now() > until) {
        throw new UploadFault(
          `Firsthand has not read what was sent in ${READING_MS / 60_000} minutes. Its log says why; build again.`,
        )
      }
      await delay(500)
    }
  }
}

/** The archive that Firsthand and Sentry read: the files, and a list that says what each of them is. */
const bundleOf = async (settings: Settings, files: readonly BuiltFile[]): Promise<readonly Uint8Array[]> => {
  const listed = files.flatMap(({ code, debugId, map, mapReference, url }) => {
    const path = url.replace(/^~\//, '_/_/').replace(/^(https?):\/\//, '$1/')
    const ids = debugId === null ? {} : { 'debug-id': debugId }
    const mapUrl = url.slice(0, url.lastIndexOf('/') + 1) + mapReference
    return [
      {
        name: `files/${path}`,
        bytes: code,
        about: { type: 'minified_source', url, headers: { ...ids, sourcemap: mapReference } },
      },
      {
        name: `files/${path}.map`,
        bytes: map,
        about: { type: 'source_map', url: mapUrl, headers: ids },
      },
    ]
  })
  const manifest = {
    files: Object.fromEntries(listed.map(({ about, name }) => [name, about])),
    org: settings.org,
    project: settings.project,
    ...(settings.release === null ? {} : { release: settings.release }),
    ...(settings.release === null || settings.dist === null ? {} : { dist: settings.dist }),
  }
  const archive = await zipOf([{ name: 'manifest.json', bytes: Buffer.from(JSON.stringify(manifest)) }, ...listed])
  if (archive === null) {
    throw new UploadFault(
      `${files.length} files with their maps are more than one upload can hold (32,767 files, 4 GiB). Split the build.`,
    )
  }
  return archive
}

const sha1Of = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

interface Piece {
  readonly sha1: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

const piecesOf = (archive: Buffer<ArrayBuffer>, size: number): readonly Piece[] =>
  Array.from({ length: Math.ceil(archive.length / size) }, (_, index) => {
    const bytes = archive.subarray(index * size, (index + 1) * size)
    return { sha1: sha1Of(bytes), bytes }
  })

const send = async (
  api: Api,
  pieces: readonly Piece[],
  { chunksPerRequest, maxRequestSize }: UploadOptions,
  say: (text: string) => void,
): Promise<void> => {
  const all = bytesOf(pieces)
  let sent = 0
  for (const some of together(pieces, chunksPerRequest, maxRequestSize)) {
    const form = new FormData()
    for (const { bytes, sha1 } of some) form.append('file', new Blob([bytes]), sha1)
    await api.ask('POST', 'chunk-upload/', form)
    sent += bytesOf(some)
    say(`sent ${sizeText(sent)} of ${sizeText(all)}`)
  }
}

const bytesOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/** What goes into one request. */
const together = (pieces: readonly Piece[], count: number, bytes: number): readonly (readonly Piece[])[] => {
  const requests: Piece[][] = []
  for (const piece of pieces) {
    const last = requests.at(-1)
    if (last === undefined || last.length >= count || bytesOf(last) + piece.bytes.length > bytes) requests.push([piece])
    else last.push(piece)
  }
  return requests
}

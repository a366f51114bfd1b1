import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { aboutFile, LOOKED_AT_BYTES } from '../about-file.ts'
import { LIMITS } from '../limits.ts'
import { readManifest, type ManifestFile } from './manifest.ts'
import { NotAsListed, unpackLarge } from './unpack-large.ts'
import type { Unpacked, UnpackedFile } from './unpacked.ts'
import { listArchive, readArchived, type ArchivedFile, type Bytes } from './zip.ts'

/** Entry of the thread that unpacks one bundle: see unpack.ts. It has no store; what it is asked for is the next files. */

const port = parentPort
if (port === null) throw new Error('The thread that unpacks bundles was started as a program')

const { path, folder } = workerData as { readonly path: string; readonly folder: string }

class Refused extends Error {}

const refuse = (sentence: string): never => {
  throw new Refused(sentence)
}

const MANIFEST = 'manifest.json'
const DAMAGED = 'Build and upload it again.'

const openBytes = (): Bytes => {
  const file = openSync(path, 'r')
  return {
    size: fstatSync(file).size,
    read: (at, length) => {
      const bytes = Buffer.allocUnsafe(length)
      let filled = 0
      while (filled < length) {
        const read = readSync(file, bytes, filled, length - filled, at + filled)
        if (read === 0) break
        filled += read
      }
      return bytes.subarray(0, filled)
    },
  }
}

interface Wanted {
  readonly about: ManifestFile
  readonly file: ArchivedFile
}

const bytes = openBytes()

/** What the manifest names, in its order; other files of the archive are nobody's. */
const wantedFiles = (): readonly Wanted[] => {
  const listed = listArchive(bytes)
  if (!listed.ok) return refuse(listed.error)
  const byName = new Map(listed.value.map((file) => [file.name, file]))
  const list = byName.get(MANIFEST)
  if (list === undefined) {
    return refuse(
      'The archive has no manifest.json, so it is no bundle of artifacts. Upload it with sentry-cli, a bundler’s plugin or another of Sentry’s tools.',
    )
  }
  if (list.size > LIMITS.MANIFEST_BYTES) {
    refuse(`The bundle’s manifest.json is ${list.size} bytes; ${LIMITS.MANIFEST_BYTES} are taken. Upload it in parts.`)
  }
  const text = readArchived(bytes, list)
  if (!text.ok) return refuse(text.error)
  const manifest = readManifest(Buffer.from(text.value).toString())
  if (!manifest.ok) return refuse(manifest.error)
  return manifest.value.files.map((about) => {
    const file = byName.get(about.name)
    if (file === undefined) {
      return refuse(`“${about.name.slice(0, 200)}” is in the bundle’s manifest.json and not in the bundle. ${DAMAGED}`)
    }
    if (about.kind === 'source_map' && file.size > LIMITS.SOURCE_MAP_BYTES) {
      refuse(
        `The source map “${about.name}” is ${file.size} bytes; ${LIMITS.SOURCE_MAP_BYTES} are taken. Split the build into several files.`,
      )
    }
    return { about, file }
  })
}

const small = ({ about, file }: Wanted): UnpackedFile => {
  const read = readArchived(bytes, file)
  if (!read.ok) return refuse(read.error)
  // A copy: what was read may be a part of something larger, which would go with it.
  const content = new Uint8Array(read.value)
  const text = Buffer.from(content.buffer)
  return finished(about, {
    begin: text.toString('utf8', 0, LOOKED_AT_BYTES),
    end: text.toString('utf8', Math.max(0, text.length - LOOKED_AT_BYTES)),
    bytes: content.byteLength,
    sha1: createHash('sha1').update(content).digest('hex'),
    sha256: createHash('sha256').update(content).digest('hex'),
    content,
    path: null,
  })
}

const large = async ({ about, file }: Wanted, number: number): Promise<UnpackedFile> => {
  const target = join(folder, String(number))
  const out = openSync(target, 'wx', 0o600)
  const sha1 = createHash('sha1')
  const sha256 = createHash('sha256')
  let begin = Buffer.alloc(0)
  let end = Buffer.alloc(0)
  try {
    for await (const piece of unpackLarge(path, file)) {
      sha1.update(piece)
      sha256.update(piece)
      if (begin.byteLength < LOOKED_AT_BYTES) begin = Buffer.concat([begin, piece.subarray(0, LOOKED_AT_BYTES)])
      end = Buffer.from(Buffer.concat([end, piece]).subarray(-LOOKED_AT_BYTES))
      for (let at = 0; at < piece.byteLength;) at += writeSync(out, piece, at)
    }
  } catch (error) {
    if (error instanceof NotAsListed) refuse(`“${about.name}” of the archive is not what its list says. ${DAMAGED}`)
    throw error
  } finally {
    closeSync(out)
  }
  return finished(about, {
    begin: begin.toString('utf8', 0, LOOKED_AT_BYTES),
    end: end.toString(),
    bytes: file.size,
    sha1: sha1.digest('hex'),
    sha256: sha256.digest('hex'),
    content: null,
    path: target,
  })
}

const finished = (
  { kind, type, url, headers, debugId, sourceMap }: ManifestFile,
  { begin, end, ...rest }: Omit<UnpackedFile, keyof ManifestFile> & { readonly begin: string; readonly end: string },
): UnpackedFile => {
  const own = aboutFile(kind, begin, end)
  return { kind, type, url, headers, debugId: debugId ?? own.debugId, sourceMap: sourceMap ?? own.sourceMap, ...rest }
}

let waiting: readonly Wanted[] | null = null
let done = 0

const next = async (): Promise<Unpacked> => {
  waiting ??= wantedFiles()
  const files: UnpackedFile[] = []
  let held = 0
  while (
    done < waiting.length &&
    held < LIMITS.UNPACKED_AT_ONCE_BYTES &&
    files.length < LIMITS.UNPACKED_FILES_AT_ONCE
  ) {
    const wanted = waiting[done]
    if (wanted === undefined) break
    const isLarge = wanted.file.size > LIMITS.UNPACKED_IN_MEMORY_BYTES
    files.push(isLarge ? await large(wanted, done) : small(wanted))
    // A large one is read again by whoever keeps it: nothing else waits for that.
    held += isLarge ? LIMITS.UNPACKED_AT_ONCE_BYTES : wanted.file.size
    done += 1
  }
  return { kind: 'files', files, hasMore: done < waiting.length }
}

port.on('message', () => {
  next().then(
    (answer) =>
      port.postMessage(
        answer,
        answer.kind === 'files'
          ? answer.files.flatMap(({ content }) => (content === null ? [] : [content.buffer as ArrayBuffer]))
          : [],
      ),
    (error: unknown) => {
      if (!(error instanceof Refused)) throw error
      port.postMessage({ kind: 'refused', sentence: error.message } satisfies Unpacked)
    },
  )
})

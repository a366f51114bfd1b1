import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { zipOf, type FileToZip } from '../../apps/server/src/artifacts/bundle/zip.fixture.ts'

/** Uploads as sentry-cli and the bundlers' plugins send them: pieces, then what they are pieces of. */

export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

export interface BundledFile {
  readonly url: string
  readonly type: string
  readonly content: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Shape {
  /** What sentry-cli puts in front. */
  readonly prefix?: string
  /** Of the archive; the `sentry` program has none. */
  readonly folder?: string
  readonly manifestFirst?: boolean
  readonly manifest?: Readonly<Record<string, unknown>>
}

export const SYSB = 'SYSB\u0002\u0000\u0000\u0000'

export const bundleOf = (
  files: readonly BundledFile[],
  { prefix = SYSB, folder = 'files/_/_/', manifestFirst = false, manifest = {} }: Shape = {},
): Buffer => {
  const named = files.map((file) => ({ ...file, name: `${folder}${file.url.replace(/^~?\//, '')}` }))
  // By entries: a file may be called `__proto__`.
  const listed = Object.fromEntries(
    named.map(({ name, url, type, headers = {} }) => [name, { url, type, headers }] as const),
  )
  const list: FileToZip = { name: 'manifest.json', content: JSON.stringify({ ...manifest, files: listed }) }
  const contents = named.map(({ name, content }): FileToZip => ({ name, content }))
  return zipOf(manifestFirst ? [list, ...contents] : [...contents, list], { prefix })
}

export interface Piece {
  readonly name?: string
  readonly filename: string
  readonly bytes: Uint8Array
}

const formOf = (pieces: readonly Piece[]): FormData => {
  const form = new FormData()
  for (const { name = 'file', filename, bytes } of pieces) {
    form.append(name, new Blob([new Uint8Array(bytes)]), filename)
  }
  return form
}

export const packed = (bytes: Uint8Array): Piece => ({
  name: 'file_gzip',
  filename: sha1(bytes),
  bytes: gzipSync(bytes),
})

export interface Assembled {
  readonly state: string
  readonly missingChunks: readonly string[]
  readonly detail: string | null
}

export interface AskedFor {
  readonly projects: readonly (string | number)[]
  readonly version?: string
  readonly dist?: string
}

/** A program with a token, against one organisation. */
export const uploaderOf = ({
  port,
  organization,
  token,
}: {
  readonly port: number
  readonly organization: string
  readonly token: string
}) => {
  const base = `http://127.0.0.1:${port}/api/0/organizations/${organization}`
  const authorization = `Bearer ${token}`
  const send = (pieces: readonly Piece[]): Promise<Response> =>
    fetch(`${base}/chunk-upload/`, { method: 'POST', headers: { authorization }, body: formOf(pieces) })

  const assemble = async (
    checksum: string,
    chunks: readonly string[],
    asked: AskedFor,
  ): Promise<{ status: number; body: Assembled }> => {
    const answer = await fetch(`${base}/artifactbundle/assemble/`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ checksum, chunks, ...asked }),
    })
    return { status: answer.status, body: (await answer.json()) as Assembled }
  }

  return {
    base,
    send,
    assemble,
    /** In pieces of this size; asks first what is missing, as the programs do. @returns the last answer, and what was sent */
    upload: async (
      bundle: Uint8Array,
      asked: AskedFor,
      pieceBytes = 8 * 1024 * 1024,
    ): Promise<Assembled & { readonly sent: number }> => {
      const pieces = Array.from({ length: Math.ceil(bundle.byteLength / pieceBytes) }, (_, index) =>
        bundle.subarray(index * pieceBytes, (index + 1) * pieceBytes),
      )
      const checksums = pieces.map(sha1)
      const first = await assemble(sha1(bundle), checksums, asked)
      if (first.body.state !== 'not_found') return { ...first.body, sent: 0 }
      const missing = new Set(first.body.missingChunks)
      const wanted = pieces.filter((piece) => missing.has(sha1(piece)))
      for (const piece of wanted) {
        const answer = await send([packed(piece)])
        if (!answer.ok) throw new Error(`a piece was refused: ${answer.status} ${await answer.text()}`)
      }
      return { ...(await assemble(sha1(bundle), checksums, asked)).body, sent: wanted.length }
    },
  }
}

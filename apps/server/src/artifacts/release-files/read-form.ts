import { badRequest, type Upload } from '../../http/index.ts'
import { LIMITS } from '../limits.ts'
import { partsOf } from '../upload/parts.ts'

/** A file of a release as it was sent by itself. */
export interface SentFile {
  /** Its address: `~/static/app.js`, or one with its host. */
  readonly name: string
  /** '' for none. */
  readonly dist: string
  /** By their names in small letters. A map, because a header may be called `__proto__`. */
  readonly headers: ReadonlyMap<string, string>
  readonly content: Uint8Array<ArrayBuffer>
}

const MIB = 1024 * 1024
const DIST_CHARACTERS = 64
const HEADER_NAME_CHARACTERS = 64

const MOST = {
  parts: LIMITS.RELEASE_FILE_HEADERS + 3,
  partBytes: LIMITS.RELEASE_FILE_BYTES,
  tooLarge: `The file is larger than ${LIMITS.RELEASE_FILE_BYTES / MIB} MiB, which is all that is taken of one by itself. Upload it with “sentry-cli sourcemaps upload”, which sends it in pieces.`,
  tooMany: `The form has too many parts: the file, its name, its dist and ${LIMITS.RELEASE_FILE_HEADERS} headers are taken.`,
}

/** @throws HttpError 400 */
export const readForm = async (upload: Upload): Promise<SentFile> => {
  let name: string | null = null
  let dist = ''
  let sent: { readonly filename: string; readonly content: Uint8Array<ArrayBuffer> } | null = null
  const headers = new Map<string, string>()
  for await (const part of partsOf(upload, MOST)) {
    if (part.name === 'file') sent = { filename: part.filename ?? '', content: new Uint8Array(part.data) }
    else if (part.name === 'name') name = textOf(part.data, 'name', LIMITS.RELEASE_FILE_NAME_CHARACTERS)
    else if (part.name === 'dist') dist = textOf(part.data, 'dist', DIST_CHARACTERS)
    else if (part.name === 'header') headers.set(...headerOf(part.data))
  }
  if (sent === null) throw badRequest('The form has no file: send it as the part “file”.')
  const address = name === null || name === '' ? sent.filename : name
  if (address === '' || /[\0-\x1f]/.test(address)) {
    throw badRequest(
      'The file has no name that can be used: send its address as the part “name”, e.g. ~/static/app.js.',
    )
  }
  return { name: address, dist, headers, content: sent.content }
}

const textOf = (data: Buffer, what: string, most: number): string => {
  const text = data.byteLength > most * 4 ? null : data.toString('utf8').trim()
  if (text === null || text.length > most) {
    throw badRequest(`The part “${what}” of the form is too long: ${most} characters are taken.`)
  }
  return text
}

const headerOf = (data: Buffer): [name: string, value: string] => {
  const text = textOf(data, 'header', LIMITS.RELEASE_FILE_NAME_CHARACTERS)
  const colon = text.indexOf(':')
  const name = text.slice(0, colon).trim().toLowerCase()
  if (colon < 1 || name === '' || name.length > HEADER_NAME_CHARACTERS) {
    throw badRequest('A header of a file is written like “Sourcemap: app.js.map”.')
  }
  return [name, text.slice(colon + 1).trim()]
}

import type { AttachmentRecord } from './attachments.view.ts'

/** What a file is called and taken for. Names and types come from the sender and are not believed further than this. */

const OCTETS = 'application/octet-stream'
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/
/** SDKs often leave the type out and give the file a name that says it. */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['json', 'application/json'],
  ['txt', 'text/plain'],
  ['log', 'text/plain'],
])
/** Pictures without a language inside: a browser can only paint them. */
const PAINTED: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

const NAME_CHARACTERS = 200
/** Folders, control characters, and marks that change the direction of what follows. */
const NOT_IN_NAMES = /[\p{Cc}\p{Bidi_Control}\u2028\u2029/\\:*?"<>|]+/gu

/** Fit for a file system and for a screen; never empty. */
export const fileName = ({ filename }: Pick<AttachmentRecord, 'filename'>): string => {
  const name = filename
    .toWellFormed()
    .replaceAll(NOT_IN_NAMES, '_')
    .trim()
    .replace(/^\.+(?=$|[^\p{L}\p{N}])/u, '')
  return name === '' ? 'attachment' : name.slice(-NAME_CHARACTERS).toWellFormed()
}

/** `type/subtype` in lower case. */
export const mediaType = ({ filename, contentType }: Pick<AttachmentRecord, 'filename' | 'contentType'>): string => {
  const given = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // The type that Sentry's own widget gave its pictures for a while.
  if (given === 'application/png') return 'image/png'
  if (MEDIA_TYPE.test(given) && given !== OCTETS) return given
  return BY_EXTENSION.get(/\.([a-z0-9]{1,5})$/i.exec(filename)?.[1]?.toLowerCase() ?? '') ?? OCTETS
}

/** What the SDK says the file is for. */
export const attachmentType = ({ itemHeader }: Pick<AttachmentRecord, 'itemHeader'>): string => {
  const header: unknown = JSON.parse(itemHeader)
  const type =
    typeof header === 'object' && header !== null && 'attachment_type' in header ? header.attachment_type : null
  return typeof type === 'string' && /^[a-z_.]{1,64}$/.test(type) ? type : 'event.attachment'
}

/** RFC 6266: an ASCII name for old programs, the real one beside it. */
const disposition = (name: string): string => {
  const plain = name.replaceAll(/[^\x20-\x7e]|[%"\\]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/**
 * Headers of a download. Whatever the file holds, a browser saves it and runs nothing: a disposition that no address bar
 * shows, a type that is not guessed again, a sandbox should all of that fail. Pictures keep their type, so that an
 * `<img>` of the console's own page may paint them.
 */
export const downloadHeaders = (record: AttachmentRecord): Record<string, string> => {
  const type = mediaType(record)
  return {
    'content-type': PAINTED.has(type) ? type : OCTETS,
    'content-disposition': disposition(fileName(record)),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, max-age=3600',
  }
}

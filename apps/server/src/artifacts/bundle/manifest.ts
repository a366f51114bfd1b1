import { err, ok, type Result } from '../../lib/result.ts'
import { plainDebugId } from '../debug-id.ts'
import type { ArchiveFault } from './zip.ts'

export type ArtifactKind = 'minified_source' | 'source_map' | 'source' | 'other'

/** What the manifest of an artifact bundle says of one of its files. */
export interface ManifestFile {
  /** Its name in the archive. */
  readonly name: string
  readonly kind: ArtifactKind
  /** As the manifest says it: kinds that are not known here are kept and shown. */
  readonly type: string
  /** `~/static/app.js`, or an address with its host. */
  readonly url: string
  /** Of its header; what the file says of itself is read by `referencesOf`. */
  readonly debugId: string | null
  /** Where its map is, as its header says; relative to the address of the file. */
  readonly sourceMap: string | null
  /** All that are text, by their names in small letters. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Manifest {
  readonly release: string | null
  readonly dist: string | null
  /** Of the bundle. The same files give the same id, whatever release they are uploaded for: it identifies nothing. */
  readonly debugId: string | null
  readonly files: readonly ManifestFile[]
}

const KINDS: ReadonlyMap<string, ArtifactKind> = new Map([
  ['minified_source', 'minified_source'],
  ['source_map', 'source_map'],
  ['source', 'source'],
])

const TYPE_CHARACTERS = 64
const URL_CHARACTERS = 4096

/** @param text of `manifest.json` */
export const readManifest = (text: string): Result<Manifest, ArchiveFault> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return err(
      'The bundle’s manifest.json is no JSON. Upload it with sentry-cli, a bundler’s plugin or another of Sentry’s tools.',
    )
  }
  if (!isObject(json) || !isObject(json['files'])) {
    return err(
      'The bundle’s manifest.json lists no files. Upload it with sentry-cli, a bundler’s plugin or another of Sentry’s tools.',
    )
  }
  return ok({
    release: textOr(json['release'], 200),
    dist: textOr(json['dist'], 64),
    debugId: plainDebugId(json['debug_id']),
    files: Object.entries(json['files']).flatMap(([name, file]) => (isObject(file) ? [manifestFile(name, file)] : [])),
  })
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const textOr = (value: unknown, characters: number): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, characters) : null

const manifestFile = (name: string, file: Json): ManifestFile => {
  const type = textOr(file['type'], TYPE_CHARACTERS) ?? ''
  const headers = headersOf(file['headers'])
  return {
    name,
    type,
    kind: KINDS.get(type) ?? 'other',
    url: textOr(file['url'], URL_CHARACTERS) ?? '',
    debugId: plainDebugId(headers.get('debug-id')),
    sourceMap: textOr(headers.get('sourcemap') ?? headers.get('x-sourcemap'), URL_CHARACTERS),
    headers: shownHeaders(headers),
  }
}

const HEADERS = 20

const shownHeaders = (headers: ReadonlyMap<string, unknown>): Readonly<Record<string, string>> =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(
      [...headers]
        .filter(([name]) => name.length <= TYPE_CHARACTERS && name !== '__proto__')
        .flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.slice(0, URL_CHARACTERS)]] : []))
        .slice(0, HEADERS),
    ),
  ) as Readonly<Record<string, string>>

/** By names in small letters. A map, because a header may be called `__proto__`. */
const headersOf = (headers: unknown): ReadonlyMap<string, unknown> =>
  new Map(isObject(headers) ? Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]) : [])

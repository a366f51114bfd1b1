import { referredAddress, uploadedAddresses } from '../address.ts'
import type { ArtifactLookup, FoundFile } from '../ledger/lookup.ts'
import type { WantedFile } from './wanted.ts'

/** Of one event: where its files may have been uploaded. */
export interface Place {
  readonly projectId: number
  /** '' for none. */
  readonly release: string
  readonly dist: string
}

/** A map for a file of a stack, or why there is none. */
export type MapOfFile =
  | { readonly kind: 'map'; readonly file: FoundFile; readonly found: 'debug-id' | 'release' }
  | { readonly kind: 'none'; readonly type: string; readonly reason: string }

/**
 * The map of each file, by its address: by debug id, which needs no release; else by the address within the release and
 * dist. Asks for everything at once: one file of a page is hardly ever alone.
 */
export const findMaps = async (
  lookup: Pick<ArtifactLookup, 'mapsByDebugIds' | 'byAddresses'>,
  place: Place,
  files: readonly WantedFile[],
): Promise<ReadonlyMap<string, MapOfFile>> => {
  const { projectId } = place
  const ids = [...new Set(files.flatMap(({ debugId }) => debugId ?? []))]
  const byId = ids.length === 0 ? [] : await lookup.mapsByDebugIds(projectId, ids)
  const maps = new Map<string, MapOfFile>()
  const others: WantedFile[] = []
  for (const file of files) {
    const map = byId.find(({ debug_id: id }) => id === file.debugId)
    if (map === undefined) others.push(file)
    else maps.set(file.address, found(map, 'debug-id'))
  }
  for (const [address, map] of await byRelease(lookup, place, others)) maps.set(address, map)
  return maps
}

const found = (file: FoundFile, how: 'debug-id' | 'release'): MapOfFile =>
  file.map_error === null
    ? { kind: 'map', file, found: how }
    : { kind: 'none', type: 'js_invalid_source', reason: file.map_error }

const none = (reason: string): MapOfFile => ({ kind: 'none', type: 'js_no_source', reason })

const byRelease = async (
  lookup: Pick<ArtifactLookup, 'mapsByDebugIds' | 'byAddresses'>,
  place: Place,
  files: readonly WantedFile[],
): Promise<ReadonlyMap<string, MapOfFile>> => {
  if (files.length === 0) return new Map()
  const idReason = ({ debugId }: WantedFile): string | null =>
    debugId === null ? null : `Nothing with its debug id ${debugId} was uploaded to this project`
  const forms = new Map(files.map((file) => [file, uploadedAddresses(file.address)]))
  // A map without its code is found by the usual name.
  const urls = [...new Set([...forms.values()].flat().flatMap((form) => [form, `${form}.map`]))]
  const uploaded = await lookup.byAddresses({ ...place, urls })
  const codes = new Map(files.map((file) => [file, firstOf(uploaded, forms.get(file) ?? [], 'minified_source')]))
  const references = [...codes.values()].flatMap((code) => mapAddressOf(code) ?? [])
  const ids = [...codes.values()].flatMap((code) => code?.debug_id ?? [])
  const more = [
    ...uploaded,
    ...(references.length === 0 ? [] : await lookup.byAddresses({ ...place, urls: [...new Set(references)] })),
  ]
  const byId = ids.length === 0 ? [] : await lookup.mapsByDebugIds(place.projectId, [...new Set(ids)])
  return new Map(
    files.map((file): [string, MapOfFile] => {
      const code = codes.get(file)
      const reference = mapAddressOf(code)
      const map =
        byId.find(({ debug_id: id }) => id === code?.debug_id) ??
        (reference === null ? undefined : more.find(({ kind, url }) => kind === 'source_map' && url === reference)) ??
        firstOf(
          uploaded,
          (forms.get(file) ?? []).map((form) => `${form}.map`),
          'source_map',
        )
      if (map !== undefined) return [file.address, found(map, 'release')]
      return [file.address, none(reasonOf(place, code, idReason(file)))]
    }),
  )
}

/** By the likeliest form of its address, of the newest upload. */
const firstOf = (
  files: readonly FoundFile[],
  forms: readonly string[],
  kind: FoundFile['kind'],
): FoundFile | undefined => {
  for (const form of forms) {
    const file = files.find((one) => one.kind === kind && one.url === form)
    if (file !== undefined) return file
  }
  return undefined
}

const mapAddressOf = (code: FoundFile | undefined): string | null =>
  code === undefined || code.source_map === null ? null : referredAddress(code.source_map, code.url)

const reasonOf = (place: Place, code: FoundFile | undefined, idReason: string | null): string => {
  if (place.release === '') {
    return idReason === null
      ? 'The event names neither a debug id of this file nor a release, so its source map cannot be looked for.'
      : `${idReason}, and the event names no release.`
  }
  const where = `release ${place.release}${place.dist === '' ? ' without a dist' : `, dist ${place.dist}`}`
  if (code !== undefined) {
    return code.source_map === null && code.debug_id === null
      ? `This file was uploaded with ${where}, but carries no debug id and no sourceMappingURL, so its map is not known.`
      : `This file was uploaded with ${where}, but not its source map${code.source_map === null ? '' : ` ${code.source_map.slice(0, 200)}`}.`
  }
  return idReason === null
    ? `The event names no debug id of this file, and nothing of its address was uploaded with ${where}.`
    : `${idReason}, and nothing of its address with ${where}.`
}

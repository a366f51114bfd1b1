import { readFile, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { BuiltFile } from './upload.ts'

/** What bundlers say of a file that they write, as far as it is used here. */
export interface Chunk {
  readonly type: 'chunk'
  readonly fileName: string
  readonly sourcemapFileName?: string | null
  code: string
}
export type Bundle = Record<string, Chunk | { readonly type: 'asset'; readonly fileName: string }>

/** A script of a web worker: Vite bundles it by itself, and it comes into the output as an asset. */
export interface WorkerScript {
  readonly debugId: string
  readonly code: string
}

export interface Built {
  /** What can be uploaded, as it was written, whatever other plugins did to it. */
  readonly files: readonly BuiltFile[]
  /** Names of the maps of these files. */
  readonly maps: readonly string[]
  /** Names of maps of scripts that nothing could find, were they uploaded. */
  readonly left: readonly string[]
}

export const chunksOf = (bundle: Bundle): readonly Chunk[] =>
  Object.values(bundle).filter((file): file is Chunk => file.type === 'chunk')

const SCRIPT_MAP = /\.[cm]?js\.map$/

export const builtIn = async ({
  bundle,
  debugIds,
  folder,
  hasRelease,
  prefix,
  workers,
}: {
  readonly bundle: Bundle
  /** Of chunks, by their paths. */
  readonly debugIds: ReadonlyMap<string, string>
  readonly folder: string
  /** Files without a debug id are found by their address in the release. */
  readonly hasRelease: boolean
  readonly prefix: string
  /** By their names in the output. */
  readonly workers: ReadonlyMap<string, WorkerScript>
}): Promise<Built> => {
  const files: BuiltFile[] = []
  const maps: string[] = []
  const left: string[] = []
  for (const { fileName, mapName } of scriptsOf(bundle)) {
    const path = resolve(folder, fileName)
    const mapPath = resolve(folder, mapName)
    const worker = workers.get(fileName)
    const debugId = debugIds.get(path) ?? worker?.debugId ?? null
    const [written, map] = await Promise.all([bytesOf(path), bytesOf(mapPath)])
    // Code of an inlined worker is in no file of its own.
    const code = written ?? (worker === undefined ? null : Buffer.from(worker.code))
    if (map === null) continue
    if (code === null || (debugId === null && !hasRelease)) {
      left.push(mapName)
      continue
    }
    const mapReference = relative(dirname(path), mapPath).replaceAll('\\', '/')
    files.push({ url: prefix + fileName, debugId, code, map, mapReference })
    maps.push(mapName)
  }
  return { files, maps, left }
}

/** Chunks, and assets that have a map: a bundler that runs inside of this one made them. */
const scriptsOf = (bundle: Bundle): readonly { readonly fileName: string; readonly mapName: string }[] => {
  const chunks = chunksOf(bundle).map(({ fileName, sourcemapFileName }) => ({
    fileName,
    mapName: sourcemapFileName ?? `${fileName}.map`,
  }))
  const known = new Set(chunks.map(({ mapName }) => mapName))
  const assets = Object.values(bundle).flatMap(({ fileName: mapName, type }) =>
    type === 'asset' && SCRIPT_MAP.test(mapName) && !known.has(mapName)
      ? [{ fileName: mapName.slice(0, -'.map'.length), mapName }]
      : [],
  )
  return [...chunks, ...assets]
}

/** Null where no such file was written. */
const bytesOf = async (path: string): Promise<Uint8Array | null> => {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Maps that were uploaded, and those of style sheets, which show what was written as well. Nothing else that ends in `.map`. */
export const removeMaps = async (folder: string, bundle: Bundle, uploaded: readonly string[]): Promise<void> => {
  const names = new Set(Object.values(bundle).map(({ fileName }) => fileName))
  const ofStyles = [...names].filter((name) => name.endsWith('.css.map') && names.has(name.slice(0, -'.map'.length)))
  await Promise.all([...uploaded, ...ofStyles].map((name) => rm(join(folder, name), { force: true })))
}

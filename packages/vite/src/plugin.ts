import { readFile, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { createApi, UploadFault } from './api.ts'
import { readSettings, type FirsthandOptions, type Settings } from './options.ts'
import { introOf, withDebugId } from './snippet.ts'
import { uploadFiles, type BuiltFile } from './upload.ts'

/** What Rollup, Rolldown and Vite give to hooks, as far as it is used here. */
interface Context {
  readonly meta: { readonly watchMode?: boolean }
  warn(message: string): void
  error(message: string): never
}
interface Output {
  readonly dir?: string | undefined
  readonly file?: string | undefined
  readonly sourcemap?: unknown
}
interface Chunk {
  readonly type: 'chunk'
  readonly fileName: string
  readonly sourcemapFileName?: string | null
  code: string
}
type Bundle = Record<string, Chunk | { readonly type: 'asset'; readonly fileName: string }>

/** A plugin of Vite and of Rollup. */
export interface FirsthandPlugin {
  readonly name: string
  readonly apply: 'build'
  readonly enforce: 'post'
  buildStart(this: Context): void
  config(config: { readonly build?: { readonly sourcemap?: unknown } }): { build: { sourcemap: 'hidden' } } | null
  configResolved(config: { readonly base: string }): void
  outputOptions<Options extends Output>(options: Options): (Options & { sourcemap: 'hidden' }) | null
  intro(chunk: { readonly isEntry: boolean; readonly moduleIds: readonly string[] }): string
  readonly generateBundle: { readonly order: 'pre'; handler(options: Output, bundle: Bundle): void }
  readonly writeBundle: {
    readonly order: 'post'
    readonly sequential: true
    handler(this: Context, options: Output, bundle: Bundle): Promise<void>
  }
}

/** Modules of what reads the release when the page begins: it is set before any code can start them. */
const SDK = /[\\/]node_modules[\\/]@(?:sentry|sentry-internal|firsthand)[\\/]/

/**
 * Makes errors of a build readable: every chunk says which build it is of, and Firsthand is sent the source maps, which then
 * leave the output.
 */
export const firsthand = (options: FirsthandOptions = {}): FirsthandPlugin => {
  const read = readSettings(options, process.env)
  const settings = typeof read === 'string' ? null : read
  const debugIds = new Map<string, string>()
  let base = '/'

  const say = (text: string): void => {
    if (options.silent !== true) process.stderr.write(`firsthand: ${text}\n`)
  }
  const fail = (context: Context, sentence: string, isFault: boolean): void => {
    if (isFault && options.onError !== 'warn') context.error(`firsthand: ${sentence}`)
    context.warn(`firsthand: ${sentence}`)
  }

  return {
    name: 'firsthand',
    apply: 'build',
    enforce: 'post',

    buildStart() {
      // Whoever builds on their own machine may have no token; where builds are deployed from, nobody would notice.
      if (typeof read === 'string') fail(this, read, (process.env['CI'] ?? '') !== '')
    },

    config(config) {
      return settings === null || config.build?.sourcemap ? null : { build: { sourcemap: 'hidden' } }
    },

    configResolved(config) {
      base = config.base
    },

    outputOptions(output) {
      return settings === null || output.sourcemap ? null : { ...output, sourcemap: 'hidden' }
    },

    intro({ isEntry, moduleIds }) {
      if (settings === null) return ''
      return introOf(isEntry || moduleIds.some((id) => SDK.test(id)) ? settings.release : null)
    },

    generateBundle: {
      // Whoever looks at the code later, for its integrity for example, sees the code with its id.
      order: 'pre',
      handler(output, bundle) {
        for (const chunk of chunksOf(bundle)) {
          const made = withDebugId(chunk.code)
          if (made === null) continue
          chunk.code = made.code
          debugIds.set(resolve(folderOf(output), chunk.fileName), made.debugId)
        }
      },
    },

    writeBundle: {
      order: 'post',
      sequential: true,
      async handler(output, bundle) {
        if (settings === null || this.meta.watchMode === true) return
        const folder = folderOf(output)
        try {
          const files = await filesOf(folder, chunksOf(bundle), debugIds, prefixOf(base))
          if (files.length === 0) {
            this.warn(
              'firsthand: this build wrote no source maps into files, so none is uploaded. Leave sourcemap unset, or set it to true or "hidden".',
            )
            return
          }
          await upload(settings, files, say)
          if (settings.deleteMaps) await removeMaps(folder, bundle, say)
        } catch (error) {
          if (!(error instanceof UploadFault)) throw error
          fail(
            this,
            `source maps of this build were not uploaded: ${error.message} They are still in ${folder}: deploy none of them.`,
            true,
          )
        }
      },
    },
  }
}

const folderOf = ({ dir, file }: Output): string => resolve(dir ?? (file === undefined ? '.' : dirname(file)))

const chunksOf = (bundle: Bundle): readonly Chunk[] =>
  Object.values(bundle).filter((file): file is Chunk => file.type === 'chunk')

/** Where pages load files from: the folder that Vite was told, or another site. */
const prefixOf = (base: string): string => {
  if (/^https?:\/\//i.test(base)) return base.endsWith('/') ? base : `${base}/`
  const path = base.replaceAll(/^[./]+|\/+$/g, '')
  return path === '' ? '~/' : `~/${path}/`
}

/** Files as they were written, whatever other plugins did to them. */
const filesOf = async (
  folder: string,
  chunks: readonly Chunk[],
  debugIds: ReadonlyMap<string, string>,
  prefix: string,
): Promise<readonly BuiltFile[]> => {
  const files: BuiltFile[] = []
  for (const { fileName, sourcemapFileName } of chunks) {
    const path = resolve(folder, fileName)
    const mapPath = resolve(folder, sourcemapFileName ?? `${fileName}.map`)
    const debugId = debugIds.get(path)
    const [code, map] = await Promise.all([bytesOf(path), bytesOf(mapPath)])
    if (debugId === undefined || code === null || map === null) continue
    const mapReference = relative(dirname(path), mapPath).replaceAll('\\', '/')
    files.push({ url: prefix + fileName, debugId, code, map, mapReference })
  }
  return files
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

const upload = async (settings: Settings, files: readonly BuiltFile[], say: (text: string) => void): Promise<void> => {
  const { finalize, project, release, url } = settings
  const of = release === null ? '' : ` of ${release}`
  say(`uploading ${files.length} ${files.length === 1 ? 'file' : 'files'}${of} with source maps to ${url}`)
  const api = createApi(settings)
  if (release !== null) await api.ask('POST', 'releases/', { version: release, projects: [project] })
  await uploadFiles(api, settings, files, say)
  if (release !== null && finalize) {
    await api.ask('PUT', `releases/${encodeURIComponent(release)}/`, { dateReleased: new Date().toISOString() })
  }
  say(`errors${of} are shown as the code was written`)
}

/** Also those of style sheets, which show what was written as well. */
const removeMaps = async (folder: string, bundle: Bundle, say: (text: string) => void): Promise<void> => {
  const maps = new Set(
    Object.values(bundle).flatMap((file) =>
      file.type === 'chunk'
        ? [file.sourcemapFileName ?? `${file.fileName}.map`]
        : file.fileName.endsWith('.map')
          ? [file.fileName]
          : [],
    ),
  )
  await Promise.all([...maps].map((name) => rm(join(folder, name), { force: true })))
  say('the source maps were removed from the output')
}

import { dirname, resolve } from 'node:path'
import { createApi, UploadFault } from './api.ts'
import { isBuiltByCi, readSettings, type FirsthandOptions, type Settings } from './options.ts'
import { builtIn, chunksOf, removeMaps, type Built, type Bundle, type Chunk, type WorkerScript } from './output.ts'
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

interface ChunkHooks {
  intro(chunk: { readonly isEntry: boolean; readonly moduleIds: readonly string[] }): string
  readonly generateBundle: { readonly order: 'pre'; handler(options: Output, bundle: Bundle): void }
}

/** What Vite runs in the bundles of web workers, which it makes apart from the page's. */
interface WorkerPlugin extends ChunkHooks {
  readonly name: string
}

/** A plugin of Vite and of Rollup. */
export interface FirsthandPlugin extends ChunkHooks {
  readonly name: string
  readonly apply: 'build'
  readonly enforce: 'post'
  buildStart(this: Context): void
  config(config: { readonly build?: { readonly sourcemap?: unknown } }): {
    build: { sourcemap?: 'hidden' }
    worker: { plugins: () => WorkerPlugin[] }
  } | null
  configResolved(config: { readonly base: string }): void
  outputOptions<Options extends Output>(options: Options): (Options & { sourcemap: 'hidden' }) | null
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
  const workers = new Map<string, WorkerScript>()
  let base = '/'

  const say = (text: string): void => {
    if (options.silent !== true) process.stderr.write(`firsthand: ${text}\n`)
  }
  const fail = (context: Context, sentence: string, isFault: boolean): void => {
    if (isFault && options.onError !== 'warn') context.error(`firsthand: ${sentence}`)
    context.warn(`firsthand: ${sentence}`)
  }

  /** @param note is told the id of each chunk */
  const chunkHooks = (note: (output: Output, chunk: Chunk, debugId: string) => void): ChunkHooks => ({
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
          note(output, chunk, made.debugId)
        }
      },
    },
  })

  return {
    name: 'firsthand',
    apply: 'build',
    enforce: 'post',

    buildStart() {
      // Whoever builds on their own machine may have no token; where builds are deployed from, nobody would notice.
      if (typeof read === 'string') fail(this, read, isBuiltByCi(process.env))
    },

    config(config) {
      if (settings === null) return null
      const worker: WorkerPlugin = {
        name: 'firsthand',
        ...chunkHooks((_, { code, fileName }, debugId) => workers.set(fileName, { code, debugId })),
      }
      return {
        build: config.build?.sourcemap ? {} : { sourcemap: 'hidden' },
        worker: { plugins: () => [worker] },
      }
    },

    configResolved(config) {
      base = config.base
    },

    outputOptions(output) {
      return settings === null || output.sourcemap ? null : { ...output, sourcemap: 'hidden' }
    },

    ...chunkHooks((output, { fileName }, debugId) => debugIds.set(resolve(folderOf(output), fileName), debugId)),

    writeBundle: {
      order: 'post',
      sequential: true,
      async handler(output, bundle) {
        if (settings === null || this.meta.watchMode === true) return
        const folder = folderOf(output)
        const hasRelease = settings.release !== null
        const fault = await sendMaps({
          bundle,
          folder,
          settings,
          say,
          warn: (sentence) => this.warn(`firsthand: ${sentence}`),
          built: () => builtIn({ bundle, debugIds, folder, hasRelease, prefix: prefixOf(base), workers }),
        })
        if (fault !== null) fail(this, fault, true)
      },
    },
  }
}

/** Uploads the maps of a build, and takes them out of its folder. @returns a sentence about what went wrong */
const sendMaps = async ({
  built,
  bundle,
  folder,
  say,
  settings,
  warn,
}: {
  readonly built: () => Promise<Built>
  readonly bundle: Bundle
  readonly folder: string
  readonly settings: Settings
  readonly say: (text: string) => void
  readonly warn: (sentence: string) => void
}): Promise<string | null> => {
  let uploaded: readonly string[]
  try {
    const { files, left, maps } = await built()
    if (left.length > 0) {
      warn(
        `nothing could find the source maps of these scripts, so they are not uploaded: ${namesIn(left)}. They are still in ${folder}: deploy none of them.`,
      )
    }
    if (files.length === 0) {
      warn(
        'this build wrote no source maps into files, so none is uploaded. Leave sourcemap unset, or set it to true or "hidden".',
      )
      return null
    }
    await upload(settings, files, say)
    uploaded = maps
  } catch (error) {
    return `source maps of this build were not uploaded: ${saidBy(error)} They are still in ${folder}: deploy none of them.`
  }
  if (!settings.deleteMaps) return null
  try {
    await removeMaps(folder, bundle, uploaded)
  } catch (error) {
    return `the source maps were uploaded, but not all could be removed: ${saidBy(error)} Remove them from ${folder} before you deploy it.`
  }
  say('the source maps were removed from the output')
  return null
}

/** A sentence, whatever went wrong. */
const saidBy = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof UploadFault ? message : `${message}.`
}

const NAMES = 10

const namesIn = (names: readonly string[]): string =>
  names.length > NAMES ? `${names.slice(0, NAMES).join(', ')} and ${names.length - NAMES} more` : names.join(', ')

const folderOf = ({ dir, file }: Output): string => resolve(dir ?? (file === undefined ? '.' : dirname(file)))

/** Where pages load files from: the folder that Vite was told, or another site. */
const prefixOf = (base: string): string => {
  if (/^https?:\/\//i.test(base)) return base.endsWith('/') ? base : `${base}/`
  const path = base.replaceAll(/^[./]+|\/+$/g, '')
  return path === '' ? '~/' : `~/${path}/`
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

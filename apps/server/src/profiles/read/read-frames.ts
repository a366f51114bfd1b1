import { FRAME_KINDS } from '@firsthand/contract/frame-kinds'
import { isObject } from '@firsthand/protocol'
import { scrubAttributes } from '../../event/index.ts'
import type { ProjectSettings } from '../../accounts/index.ts'
import type { FrameColumns } from '../form.ts'
import { LIMITS } from '../limits.ts'
import { findImage, type Image } from './images.ts'

/** Frames as SDKs send them, once each. */
export interface ReadFrames {
  readonly columns: FrameColumns
  readonly words: readonly string[]
  /** Place of each sent frame in the columns; -1 for one that only says that nothing ran. */
  readonly placeOf: Int32Array
  readonly notes: readonly string[]
}

/** Where a runtime says that it was idle, which is no function. */
const IDLE = new Set(['(idle)', '[idle]'])
/** What a runtime does besides calling functions. */
const OF_RUNTIME = /^\((?:garbage collector|program|root)\)$/
const RUNTIME_FILE = /^(?:node:|internal\/|native |<frozen |\[native code\])/
const LIBRARY_FILE =
  /(?:^|[/\\])(?:node_modules|bower_components|site-packages|dist-packages|vendor|gems|\.cargo|rustlib)[/\\]|^(?:chrome|moz|safari-web)-extension:/

export const readFrames = (
  sent: readonly unknown[],
  images: readonly Image[],
  settings: Pick<ProjectSettings, 'scrubbing'>,
): ReadFrames => {
  const words = createWords()
  const columns = { name: [], file: [], module: [], address: [], line: [], column: [], kind: [] } as Mutable
  const places = new Map<string, number>()
  const placeOf = new Int32Array(Math.min(sent.length, LIMITS.PROFILE_FRAMES))
  for (let index = 0; index < placeOf.length; index += 1) {
    const raw = sent[index]
    const frame = readFrame(isObject(raw) ? raw : {}, images, settings)
    if (frame.file === '' && IDLE.has(frame.name)) {
      placeOf[index] = -1
      continue
    }
    const key = JSON.stringify(frame)
    let place = places.get(key)
    if (place === undefined) {
      place = places.size
      places.set(key, place)
      columns.name.push(words.place(frame.name))
      columns.file.push(words.place(frame.file))
      columns.module.push(words.place(frame.module))
      columns.address.push(words.place(frame.address))
      columns.line.push(frame.line)
      columns.column.push(frame.column)
      columns.kind.push(frame.kind)
    }
    placeOf[index] = place
  }
  return { columns, words: words.all(), placeOf, notes: words.notes() }
}

type Mutable = { -readonly [Name in keyof FrameColumns]: number[] }

const createWords = () => {
  const places = new Map<string, number>([['', 0]])
  let left: number = LIMITS.PROFILE_TEXT_CHARS
  let dropped = 0
  return {
    place: (word: string): number => {
      const known = places.get(word)
      if (known !== undefined) return known
      if (word.length > left) {
        dropped += 1
        return 0
      }
      left -= word.length
      places.set(word, places.size)
      return places.size - 1
    },
    all: (): string[] => [...places.keys()],
    notes: (): readonly string[] =>
      dropped === 0 ? [] : [`${dropped} names of its functions and files were left out: there is too much text.`],
  }
}

const textOf = (value: unknown, limit: number): string =>
  typeof value === 'string' ? value.slice(0, limit).toWellFormed() : ''

/** Addresses of pages carry what people typed and who they are. */
const withoutQuery = (file: string): string =>
  /^[a-z][a-z+.-]*:\/\//i.test(file) ? (file.split(/[?#]/, 1)[0] ?? file) : file

const countOf = (value: unknown): number => {
  const count = Number(value)
  return Number.isInteger(count) && count > 0 && count < 2 ** 31 ? count : 0
}

const readFrame = (
  raw: Readonly<Record<string, unknown>>,
  images: readonly Image[],
  settings: Pick<ProjectSettings, 'scrubbing'>,
) => {
  const address = textOf(raw['instruction_addr'], LIMITS.PROFILE_WORD_CHARS)
  const image = findImage(images, address)
  const sentFile =
    textOf(raw['abs_path'], LIMITS.PROFILE_FILE_CHARS) || textOf(raw['filename'], LIMITS.PROFILE_FILE_CHARS)
  const path = { 'url.full': withoutQuery(sentFile || textOf(raw['file'], LIMITS.PROFILE_FILE_CHARS)) }
  const name = scrubAttributes(path, textOf(raw['function'], LIMITS.PROFILE_NAME_CHARS), settings)
  const file = path['url.full']
  const library = textOf(raw['package'], LIMITS.PROFILE_FILE_CHARS)
  const module = textOf(raw['module'], LIMITS.PROFILE_NAME_CHARS) || (image?.name ?? baseName(library))
  return {
    name,
    file,
    module,
    address: image?.address ?? address,
    line: countOf(raw['lineno']),
    column: countOf(raw['colno']),
    kind: kindOf(raw['in_app'], name, file, module),
  }
}

const baseName = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/** Many SDKs do not say which code is that of the application: then its file does. */
const kindOf = (inApp: unknown, name: string, file: string, module: string): number => {
  if (OF_RUNTIME.test(name) || RUNTIME_FILE.test(file)) return FRAME_KINDS.runtime
  if (inApp === true) return FRAME_KINDS.own
  if (file === '' && module === '') return FRAME_KINDS.runtime
  return inApp === false || LIBRARY_FILE.test(file) || file === '' ? FRAME_KINDS.library : FRAME_KINDS.own
}

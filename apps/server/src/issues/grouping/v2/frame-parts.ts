import type { Frame } from '../../../event/event.ts'
import * as v1 from '../v1/frame-parts.ts'
import type { Part } from '../v1/frame-parts.ts'
import { memoise } from '../v1/memoise.ts'
import { familyOf } from '../v1/platform.ts'
import { dotnetPlace } from './dotnet.ts'
import type { FindPlace, NativePlace } from './images.ts'

/** The names in a frame, as version 1 reads them but for functions. */

export const { isUrl } = v1

const UNKNOWN: Part = { value: '', hint: 'ignored because the function is unknown' }
const GENERATED = 'generated parts removed'

/** The names that say where a frame is. */
export interface PlaceParts {
  readonly module: Part
  readonly filename: Part
  readonly called: Part
  /** For native code of which only the address is known: then it takes the place of all others. */
  readonly library: NativePlace | null
}

export const placeParts = (frame: Frame, platform: string, find: FindPlace): PlaceParts => {
  const dotnet = platform === 'csharp' ? dotnetPlace(frame.module ?? '', frame.function ?? '') : null
  const filename = v1.filenamePart(frame, platform)
  if (dotnet !== null) {
    const module = { value: dotnet.module, hint: GENERATED }
    return { module, filename, called: { value: dotnet.called, hint: GENERATED }, library: null }
  }
  const module = v1.modulePart(frame, platform)
  const called = functionPart(frame, platform)
  const isNative = familyOf(platform) === 'native'
  const isNamed = called.value !== '' || (!isNative && (module.value !== '' || filename.value !== ''))
  const isAddress = !isNamed && (isNative || frame.instruction_addr !== undefined)
  return { module, filename, called, library: isAddress ? find(frame) : null }
}

export const functionPart = (frame: Frame, platform: string): Part => {
  const name = frame.function ?? frame.raw_function
  const named = name === undefined ? {} : { function: name }
  switch (familyOf(platform)) {
    case 'javascript':
      return name === undefined ? v1.functionPart(named, platform) : javascriptFunction(name)
    case 'native':
      if (name !== undefined && ADDRESS.test(name)) return UNKNOWN
      return (name === undefined ? null : objectiveC(name)) ?? v1.functionPart(named, platform)
    case 'other':
      return v1.functionPart(named, platform)
  }
}

const ADDRESS = /^(?:0x[0-9a-f]{1,16}|[0-9a-f]{8,16})$/i

/** `-[Basket add:]`, also inside a block: `__16-[Basket add:]_block_invoke_2`. Null for other names. */
const objectiveC = memoise((name): Part | null => {
  const method = /^(?:__\d{1,5})?([+-]\[[^\]\s]{1,200} [^\]\s]{1,200}\])(_block_invoke)?(?:_\d{1,5})?$/.exec(name)
  if (method === null) return null
  const value = `${method[1] ?? ''}${method[2] ?? ''}`
  return value === name ? { value } : { value, hint: GENERATED }
})

/** What engines call code that has no name. */
const NAMELESS = new Set([
  'eval',
  'eval code',
  'global code',
  'Global code',
  'module code',
  '<computed>',
  '<static_initializer>',
  '<instance_members_initializer>',
  '<anonymous class>',
])
/** How Firefox names the one who waits: `async*load`, `promise callback*load`, `EventListener.handleEvent*load`. */
const CALLBACK_OF = /^(?:[A-Za-z. ]{1,40}\*)+/
/** How Firefox names what has no name: by the functions around it, or by what it is given to (`open/<`, `open/total<`). */
const GUESSED = /<$/
const KIND_OF_FUNCTION = /^(?:async |new |get |set |static )+/

const javascriptFunction = memoise((name): Part => {
  const bare = name.replace(CALLBACK_OF, '').replace(KIND_OF_FUNCTION, '')
  if (bare === '' || GUESSED.test(bare) || NAMELESS.has(bare)) return UNKNOWN
  // A module of webpack is called by its file, which is a name with dots and slashes.
  const file = bare.indexOf('./')
  const nested = file === -1 ? bare.slice(bare.lastIndexOf('/', bare.length - 2) + 1) : bare
  const part =
    file > 0 || bare.startsWith('./')
      ? { value: bare.slice(file) }
      : v1.functionPart({ function: nested }, 'javascript')
  if (NAMELESS.has(part.value)) return UNKNOWN
  return part.value === '' || part.value === name ? part : { value: part.value, hint: 'receiver removed' }
})

const WITHOUT_FUNCTION: Part = { value: '', hint: 'ignored because the frame of a page has no function' }

export const contextLinePart = (frame: Frame, platform: string): Part => {
  const part = v1.contextLinePart(frame, platform)
  if (part.value === '' || familyOf(platform) !== 'javascript') return part
  const path = frame.abs_path ?? frame.filename
  const isBare = path !== undefined && isUrl(path) && functionPart(frame, platform).value === ''
  return isBare ? WITHOUT_FUNCTION : part
}

import type { Frame } from '../../../event/event.ts'
import { memoise } from './memoise.ts'
import { familyOf } from './platform.ts'

/**
 * The names in a frame, freed of what changes from build to build or page to page (protocol.md 5.3 and 5.6).
 * Each function gives '' when there is nothing to hash, together with the reason.
 */
export interface Part {
  readonly value: string
  readonly hint?: string
}

const NOTHING: Part = { value: '' }

const URL_SCHEME = /^(?:[a-z][a-z0-9+.-]{1,20}):\/\/|^(?:blob|data|about):/i
const SCRIPT_EXTENSION =
  /\.(?:[mc]?jsx?|[mc]?tsx?|es6|coffee|vue|svelte|astro|marko|wasm|bundle|jsbundle|hbc|dart|gs|mdx)$/i
const JAVASCRIPT_EXTENSION = /^(.+)\.([mc]?jsx?|[mc]?tsx?|es6)$/i

export const isUrl = memoise((path) => URL_SCHEME.test(path))

const withoutQuery = (path: string): string => {
  const end = path.search(/[?#]/)
  return end === -1 ? path : path.slice(0, end)
}

const basename = (path: string): string => {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  return at === -1 ? path : path.slice(at + 1)
}

export const filenamePart = (frame: Frame, platform: string): Part => {
  const filename = frame.filename ?? frame.abs_path
  if (filename === undefined || filename === '') return NOTHING
  if (familyOf(platform) !== 'javascript') return otherFilename(filename)
  const url = isUrl(filename) || (frame.abs_path !== undefined && isUrl(frame.abs_path))
  return url ? javascriptUrl(filename) : javascriptFile(filename)
}

const NO_FILE: Part = { value: '', hint: 'ignored because it names no file' }
const PAGE: Part = { value: '', hint: 'ignored because it is a page, not a script' }

const namesNoFile = (filename: string): boolean => filename.startsWith('<') || filename === '[native code]'

const otherFilename = memoise((filename): Part => {
  if (namesNoFile(filename)) return NO_FILE
  return { value: basename(isUrl(filename) ? withoutQuery(filename) : filename).toLowerCase() }
})

const javascriptFile = memoise((filename): Part => {
  if (namesNoFile(filename)) return NO_FILE
  return stripBuildHashes(basename(withoutQuery(filename)))
})

const javascriptUrl = memoise((filename): Part => {
  if (namesNoFile(filename)) return NO_FILE
  const base = basename(withoutQuery(filename))
  return SCRIPT_EXTENSION.test(base) ? stripBuildHashes(base) : PAGE
})

const PASCAL_CASE = /^[A-Z]?[a-z]+(?:[A-Z][a-z]+)*$/

/** Content hashes of bundlers: `3f2a8b1c`, `DXk3Bq9_`, `4KQ2XV7A`; not `settings` or `UserSettings`. */
const looksLikeHash = (text: string): boolean => {
  if (text.length < 8 || !/^[A-Za-z0-9_-]+$/.test(text)) return false
  if (/\d/.test(text)) return !/^[a-z]+(?:[-_][a-z]+)+\d{1,2}$/.test(text)
  return /[a-z]/.test(text) && /[A-Z]/.test(text) ? !PASCAL_CASE.test(text) : text.length === 8 && /^[A-Z]+$/.test(text)
}

const stripSegment = (segment: string): string => {
  // Rollup and Vite: exactly eight characters, which may contain `-` themselves.
  const eight = segment.length > 9 && segment.charAt(segment.length - 9) === '-' ? segment.slice(-8) : ''
  if (eight !== '' && looksLikeHash(eight)) return segment.slice(0, -9)
  const dash = segment.lastIndexOf('-')
  return dash > 0 && looksLikeHash(segment.slice(dash + 1)) ? segment.slice(0, dash) : segment
}

const stripBuildHashes = (base: string): Part => {
  const match = JAVASCRIPT_EXTENSION.exec(base)
  const lower = base.toLowerCase()
  if (match === null) return { value: lower }
  const [, stem = '', extension = ''] = match
  const kept: string[] = []
  for (const segment of stem.split('.')) {
    if (looksLikeHash(segment)) continue
    kept.push(stripSegment(segment))
  }
  // A chunk that is called by its number or hash alone has a new name in the next build.
  const name = kept.length === 0 || (kept.length === 1 && /^\d+$/.test(kept[0] ?? '')) ? '<chunk>' : kept.join('.')
  const value = `${name}.${extension}`.toLowerCase()
  return value === lower ? { value } : { value, hint: 'build hash removed' }
}

const JAVA_GENERATED: readonly (readonly [RegExp, string])[] = [
  [/\$\$Lambda(?:\$\d+)?(?:\/0x[0-9a-fA-F]+|\/\d+)?/g, '$$Lambda'],
  [/\$\$(?:EnhancerBy|FastClassBy)[A-Za-z]*(?:CGLIB|Guice|Spring)[A-Za-z]*(?:\$\$[0-9a-f]+)?/g, '$$$$Proxy'],
  [/\$\$SpringCGLIB\$\$\d+/g, '$$$$Proxy'],
  [/_\$\$_(?:javassist|jvst)[0-9a-z]*(?:_[0-9a-f]+)*/g, '_$$$$_javassist'],
  [/Generated(Method|Constructor|SerializationConstructor)Accessor\d+/g, 'Generated$1Accessor'],
  [/\$HibernateProxy\$[A-Za-z0-9]+/g, '$$HibernateProxy'],
  [/\$(?:Proxy|JaxbAccessor)\d+/g, '$$Proxy'],
]

export const modulePart = (frame: Frame, platform: string): Part => {
  const { module } = frame
  if (module === undefined || module === '') return NOTHING
  if (familyOf(platform) === 'javascript') {
    const path = frame.abs_path ?? frame.filename ?? ''
    const asPath = module.replaceAll(/[.:]/g, '/')
    const flat = path.replaceAll(/[.:\\]/g, '/')
    return flat === '' || !flat.includes(asPath)
      ? { value: module }
      : { value: '', hint: 'ignored because it only repeats the path' }
  }
  return otherModule(module)
}

const otherModule = memoise((module): Part => {
  if (!module.includes('$') && !module.includes('Generated')) return { value: module }
  let cleaned = module
  for (const [pattern, replacement] of JAVA_GENERATED) cleaned = cleaned.replace(pattern, replacement)
  return cleaned === module ? { value: module } : { value: cleaned, hint: 'generated class name removed' }
})

const UNKNOWN_FUNCTIONS = new Set([
  '?',
  '<anonymous>',
  '<anonymous function>',
  'Anonymous function',
  'new <anonymous>',
  'async <anonymous>',
  '<unknown>',
  '<redacted>',
  '[native code]',
  'anonymous',
  '{closure}',
])

const UNKNOWN: Part = { value: '', hint: 'ignored because the function is unknown' }

export const functionPart = (frame: Frame, platform: string): Part => {
  const name = frame.function
  if (name === undefined || name === '') return NOTHING
  switch (platform) {
    case 'javascript':
    case 'node':
      return javascriptFunction(name)
    case 'ruby':
      return rubyFunction(name)
    case 'php':
      return phpFunction(name)
    case 'java':
      return javaFunction(name)
    case 'csharp':
      return csharpFunction(name)
    default:
      return familyOf(platform) === 'native' ? nativeFunction(name) : plainFunction(name)
  }
}

const withoutGenerated = (clean: (name: string) => string): ((name: string) => Part) =>
  memoise((name) => {
    if (UNKNOWN_FUNCTIONS.has(name)) return UNKNOWN
    const cleaned = clean(name)
    if (cleaned === name) return { value: name }
    return cleaned === '' ? UNKNOWN : { value: cleaned, hint: 'generated parts removed' }
  })

const plainFunction = withoutGenerated((name) => name)

const phpFunction = withoutGenerated((name) =>
  name.replace(/@anonymous.*$/s, '@anonymous').replaceAll(/\{closure(?::[^}]*)?\}/g, '{closure}'),
)

const javaFunction = withoutGenerated((name) =>
  name.replaceAll(/\$\d+/g, '$').replace(/^lambda\$(\w+)\$$/, 'lambda$$$1'),
)

const csharpFunction = withoutGenerated((name) => name.replaceAll(/__\d+(?:_\d+)*/g, '__'))

const rubyFunction = withoutGenerated((name) =>
  name.replace(/^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+/, '').replace(/_{2,}\d+_\d+$/, ''),
)

const javascriptFunction = memoise((name): Part => {
  if (name.endsWith('/<')) return UNKNOWN
  let trimmed = name
  const alias = trimmed.indexOf(' [as ')
  if (alias !== -1) trimmed = trimmed.slice(0, alias)
  if (trimmed.startsWith('async ')) trimmed = trimmed.slice(6)
  if (trimmed.startsWith('new ')) trimmed = trimmed.slice(4)
  const dot = trimmed.lastIndexOf('.')
  if (dot !== -1) trimmed = trimmed.slice(dot + 1)
  if (trimmed === '' || UNKNOWN_FUNCTIONS.has(trimmed)) return UNKNOWN
  return trimmed === name ? { value: trimmed } : { value: trimmed, hint: 'receiver removed' }
})

const nativeFunction = withoutGenerated((name) => {
  let depth = 0
  let out = ''
  // Argument and template lists differ between compilers; `operator<` and `operator()` are names.
  const operator = name.indexOf('operator')
  for (let index = 0; index < name.length; index++) {
    const character = name.charAt(index)
    const inOperator = operator !== -1 && index >= operator + 8 && index <= operator + 10
    if (!inOperator && (character === '<' || character === '(' || character === '{')) {
      // `(anonymous namespace)::f` and `<T as Trait>::f` begin with a list that is part of the name.
      if (out === '' || out.endsWith('::')) return out + stripTail(name.slice(index))
      depth++
    } else if (!inOperator && depth > 0 && (character === '>' || character === ')' || character === '}')) {
      depth--
    } else if (depth === 0) {
      out += character
    }
  }
  const unqualified = out.replace(/\s+const$/, '')
  const lastWord = unqualified.slice(unqualified.lastIndexOf(' ') + 1)
  return lastWord.replace(/::h[0-9a-f]{16}$/, '')
})

const stripTail = (text: string): string => {
  const open = text.lastIndexOf('(')
  const end = open > 0 && !text.startsWith('anonymous', open + 1) ? text.slice(0, open) : text
  return end.replace(/::h[0-9a-f]{16}$/, '')
}

const WITH_CONTEXT_LINE = new Set(['javascript', 'node', 'python', 'php', 'ruby'])
const CONTEXT_LINE_CHARACTERS = 120
const TOO_LONG: Part = { value: '', hint: 'ignored because the line is too long' }
const WITHOUT_FUNCTION: Part = { value: '', hint: 'ignored because the frame of a page has no function' }

export const contextLinePart = (frame: Frame, platform: string): Part => {
  const line = frame.context_line
  if (line === undefined || !WITH_CONTEXT_LINE.has(platform)) return NOTHING
  if (line.length > 4 * CONTEXT_LINE_CHARACTERS) return TOO_LONG
  const part = collapse(line)
  if (part.value === '' || familyOf(platform) !== 'javascript') return part
  const path = frame.abs_path ?? frame.filename
  const bare = path !== undefined && isUrl(path) && functionPart(frame, platform).value === ''
  return bare ? WITHOUT_FUNCTION : part
}

const collapse = memoise((line): Part => {
  const collapsed = line.replaceAll(/\s+/g, ' ').trim()
  if (collapsed === '') return NOTHING
  return collapsed.length > CONTEXT_LINE_CHARACTERS || collapsed.includes('{snip}') ? TOO_LONG : { value: collapsed }
})

import { LIMITS } from '../limits.ts'

/** One line of a mapping: a method of the code as it was written that stands, whole or in part, in an obfuscated one. */
export interface MappedMethod {
  /** Lines of the obfuscated method that come from it; 0 and 0 where the mapping names none. */
  readonly from: number
  readonly to: number
  /** Null for the class itself; another one where its method was inlined. */
  readonly className: string | null
  readonly name: string
  /** Lines of the source; null where they are those of the obfuscated method, 0 where nobody wrote them. */
  readonly originalFrom: number | null
  readonly originalTo: number | null
  /** The compiler made it: nobody wrote it. */
  readonly isSynthesized: boolean
  /** It holds code that several methods shared: nobody wrote it, and the place is that of its caller. */
  readonly isOutline: boolean
  /** Of a call of such an outline: lines of the outline, and the line of this method that each stands for. */
  readonly outlineLines: ReadonlyMap<number, number> | null
  /** Types of exceptions by which so many of the innermost frames are no part of the stack. */
  readonly withoutInner: readonly { readonly thrown: string; readonly frames: number }[]
}

/** What a mapping says of one class. */
export interface ClassMapping {
  readonly original: string
  readonly sourceFile: string | null
  /** By their obfuscated names, in the order of the file: inlined ones stand before those that they were inlined into. */
  readonly methods: ReadonlyMap<string, readonly MappedMethod[]>
}

/** `1:3:void com.acme.Tea.pour(int):10:12 -> a` */
const METHOD =
  /^(?:(\d{1,9}):(?:(\d{1,9}):)?)?[^\s():]+ ([^\s():]+)\([^\s()]*\)(?::(\d{1,9})(?::(\d{1,9}))?)? -> (\S+)$/

type Draft = { -readonly [Key in keyof MappedMethod]: MappedMethod[Key] }

const draftOf = (match: RegExpExecArray): Draft => {
  const [, from, to, path = '', originalFrom, originalTo] = match
  const dot = path.lastIndexOf('.')
  const begin = Number(from ?? 0)
  const originalBegin = originalFrom === undefined ? null : Number(originalFrom)
  return {
    from: begin,
    to: Number(to ?? begin),
    className: dot <= 0 ? null : path.slice(0, dot),
    name: path.slice(dot + 1),
    originalFrom: originalBegin,
    originalTo: originalTo === undefined ? originalBegin : Number(originalTo),
    isSynthesized: false,
    isOutline: false,
    outlineLines: null,
    withoutInner: [],
  }
}

/** @param part the lines of a class, the first of which names it */
export const readClassMapping = (part: string): ClassMapping => {
  const [head = '', ...lines] = part.split('\n')
  const methods = new Map<string, Draft[]>()
  let sourceFile: string | null = null
  let last: Draft | null = null
  for (const raw of lines.slice(0, LIMITS.PROGUARD_CLASS_LINES)) {
    const line = raw.trim()
    if (line.startsWith('#')) {
      const note = noteOf(line)
      if (note?.['id'] === 'sourceFile' && typeof note['fileName'] === 'string') sourceFile = note['fileName']
      else if (note !== null && last !== null) applyNote(last, note)
      continue
    }
    const match = METHOD.exec(line)
    last = match === null ? null : draftOf(match)
    if (match === null || last === null) continue
    const name = match[6] ?? ''
    const known = methods.get(name)
    if (known === undefined) methods.set(name, [last])
    else known.push(last)
  }
  const original = head.slice(0, Math.max(0, head.indexOf(' -> '))).replace(/^\uFEFF/, '')
  return { original, sourceFile, methods }
}

type Note = Readonly<Record<string, unknown>>

/** A comment that says more of the line above it: `# {"id":"com.android.tools.r8.synthesized"}`. */
const noteOf = (line: string): Note | null => {
  const text = line.slice(1).trim()
  if (!text.startsWith('{')) return null
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Note) : null
  } catch {
    return null
  }
}

const applyNote = (method: Draft, note: Note): void => {
  switch (note['id']) {
    case 'com.android.tools.r8.synthesized':
      method.isSynthesized = true
      return
    case 'com.android.tools.r8.outline':
      method.isOutline = true
      return
    case 'com.android.tools.r8.outlineCallsite':
      method.outlineLines = linesOf(note['positions'])
      return
    case 'com.android.tools.r8.rewriteFrame':
      method.withoutInner = [...method.withoutInner, ...withoutInnerOf(note)]
      return
    default:
  }
}

const linesOf = (positions: unknown): ReadonlyMap<number, number> => {
  const lines = new Map<number, number>()
  if (typeof positions !== 'object' || positions === null) return lines
  for (const [outline, line] of Object.entries(positions)) {
    if (typeof line === 'number' && Number.isSafeInteger(line)) lines.set(Number(outline), line)
  }
  return lines
}

/** `throws(Ljava/lang/NullPointerException;)` → `java.lang.NullPointerException`; any other condition is not known here. */
const withoutInnerOf = ({ actions, conditions }: Note): MappedMethod['withoutInner'] => {
  const texts = (list: unknown): readonly string[] =>
    Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : []
  const thrown = texts(conditions).map((one) => /^throws\(L([^;()]+);\)$/.exec(one)?.[1]?.replaceAll('/', '.'))
  const [only] = thrown
  if (only === undefined || thrown.length !== 1) return []
  return texts(actions).flatMap((action) => {
    const frames = /^removeInnerFrames\((\d{1,3})\)$/.exec(action)?.[1]
    return frames === undefined ? [] : [{ thrown: only, frames: Number(frames) }]
  })
}

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

/** How a class was called, and the file that it was written in. */
export interface ClassHead {
  readonly original: string
  readonly sourceFile: string | null
}

/** `1:3:void com.acme.Tea.pour(int):10:12 -> a` */
const METHOD = /^(?:(\d{1,9}):(?:(\d{1,9}):)?)?[^\s():]+ ([^\s():]+)\([^\s()]*\)(?::(\d{1,9})(?::(\d{1,9}))?)? -> \S+$/

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

/** @param part the lines of a class, or the first of them */
export const readClassHead = (part: string): ClassHead => {
  const [first = '', ...notes] = part.split('\n', HEAD_LINES)
  const original = ownText(first.slice(0, Math.max(0, first.indexOf(' -> '))).replace(/^\uFEFF/, ''))
  for (const line of notes.map((raw) => raw.trim())) {
    if (!line.startsWith('#')) break
    const note = noteOf(line)
    if (note?.['id'] === 'sourceFile' && typeof note['fileName'] === 'string') {
      return { original, sourceFile: note['fileName'] }
    }
  }
  return { original, sourceFile: null }
}

/** A piece of a text keeps all of it in memory; this is one by itself. */
const ownText = (piece: string): string => Buffer.from(piece).toString()

/** What is said of the class itself stands before its methods. */
const HEAD_LINES = 8

/**
 * The methods that have a name in the app, in the order of the file: inlined ones stand before those that they were inlined
 * into. Only their lines are read: classes have many, and a frame is of one.
 *
 * @param part the lines of a class
 */
export const readMethods = (part: string, name: string): readonly MappedMethod[] => {
  const methods: Draft[] = []
  if (name === '') return methods
  const end = `> ${name}`
  for (let at = part.indexOf(end); at !== -1; at = part.indexOf(end, at + end.length)) {
    const behind = at + end.length
    // The name may be the beginning of another one.
    if (behind < part.length && !/\s/.test(part.charAt(behind))) continue
    const match = METHOD.exec(ownText(part.slice(part.lastIndexOf('\n', at) + 1, behind).trim()))
    if (match === null) continue
    const method = draftOf(match)
    for (const note of notesBehind(part, behind)) applyNote(method, note)
    if (methods.push(method) === LIMITS.PROGUARD_CLASS_LINES) break
  }
  return methods
}

/** Comments on the lines behind a method's, which say more of it. */
const notesBehind = (part: string, behind: number): readonly Note[] => {
  const notes: Note[] = []
  for (let from = part.indexOf('\n', behind) + 1; from > 0 && notes.length < METHOD_NOTES;) {
    const end = part.indexOf('\n', from)
    const line = part.slice(from, end === -1 ? undefined : end).trim()
    if (!line.startsWith('#')) break
    const note = noteOf(line)
    if (note !== null) notes.push(note)
    from = end + 1
  }
  return notes
}

const METHOD_NOTES = 8

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

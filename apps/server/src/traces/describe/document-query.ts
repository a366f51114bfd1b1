import { LIMITS } from '../limits.ts'

/** Commands of MongoDB name their collection in these fields. */
const COLLECTION_KEYS: ReadonlySet<string> = new Set([
  'find',
  'aggregate',
  'insert',
  'update',
  'delete',
  'count',
  'distinct',
  'findAndModify',
  'findandmodify',
  'collection',
  'mapReduce',
  'create',
  'drop',
  'createIndexes',
])

export interface DescribedDocumentQuery {
  readonly text: string
  /** '' when the text does not say it. */
  readonly collection: string
}

const VALUE = '"?"'

/** A query of MongoDB: fields, operators and the collection stay, values are `?`. One pass over text that may be no JSON at all. */
export const describeDocumentQuery = (query: string): DescribedDocumentQuery => {
  const parts: string[] = []
  let characters = 0
  let collection = ''
  let depth = 0
  let key = ''
  const push = (part: string): void => {
    parts.push(part)
    characters += part.length
  }
  /** Several values of a list are one. */
  const value = (text: string): void => {
    if (text === VALUE && parts.at(-1) === ',' && parts.at(-2) === VALUE) {
      parts.pop()
      characters -= 1
    } else push(text)
  }
  for (let at = 0; at < query.length && characters < LIMITS.SPAN_GROUP_CHARS;) {
    const here = query.charAt(at)
    if (here === '"' || here === "'") {
      const end = endOfText(query, at, here)
      const text = query.slice(at + 1, end)
      at = end + 1
      if (/^\s{0,8}:/.test(query.slice(at, at + 9))) {
        key = text
        push(`"${text.slice(0, 100)}"`)
      } else if (depth <= 1 && COLLECTION_KEYS.has(key)) {
        collection ||= text
        value(`"${text.slice(0, 100)}"`)
      } else value(VALUE)
    } else if (STRUCTURE.has(here)) {
      if (here === '{' || here === '[') depth += 1
      else if (here === '}' || here === ']') depth -= 1
      push(here)
      at += 1
    } else if (/\s/.test(here)) at += 1
    else {
      const from = at
      while (at < query.length && !ENDS_WORD.has(query.charAt(at))) at += 1
      const word = query.slice(from, at).trim()
      if (query.charAt(at) === ':') {
        key = word
        push(word.slice(0, 100))
      } else value(VALUE)
    }
  }
  return { text: parts.join('').slice(0, LIMITS.SPAN_GROUP_CHARS).toWellFormed(), collection }
}

const STRUCTURE: ReadonlySet<string> = new Set(['{', '}', '[', ']', ',', ':'])
const ENDS_WORD: ReadonlySet<string> = new Set(['{', '}', '[', ']', ',', ':', '"', "'"])

const endOfText = (query: string, from: number, quote: string): number => {
  let at = from + 1
  while (at < query.length && query.charAt(at) !== quote) at += query.charAt(at) === '\\' ? 2 : 1
  return Math.min(at, query.length)
}

import { err, ok, type Result } from '../lib/result.ts'

/** `p95(span.duration)`, `count_if(`span.op:db`)`: the name of a function and what stands between its brackets. */
export interface Call {
  readonly name: string
  readonly arguments: readonly Argument[]
}

/** A name or value as it is written; or, between back-ticks, a search. */
export interface Argument {
  readonly text: string
  readonly isSearch: boolean
}

const CALL = /^([a-z][a-z0-9_]{0,40})\((.*)\)$/s

export const isCall = (text: string): boolean => CALL.test(text)

/** Null for what is no call. The error is a sentence for the caller. */
export const readCall = (text: string): Result<Call | null, string> => {
  const match = CALL.exec(text)
  if (match === null) return ok(null)
  const [, name = '', inside = ''] = match
  const split = splitArguments(inside)
  return split.ok ? ok({ name, arguments: split.value }) : err(`"${text}" cannot be read: ${split.error}`)
}

/** Commas inside of brackets (`tags[a,number]`), quotation marks and back-ticks belong to the argument. */
const splitArguments = (text: string): Result<Argument[], string> => {
  const found: Argument[] = []
  let at = 0
  while (at <= text.length) {
    while (text.charAt(at) === ' ') at += 1
    const opening = text.charAt(at)
    if (opening === '`' || opening === '"') {
      const end = text.indexOf(opening, at + 1)
      if (end === -1) return err(`a ${opening === '`' ? 'back-tick' : 'quotation mark'} is never closed.`)
      found.push({ text: text.slice(at + 1, end), isSearch: opening === '`' })
      at = end + 1
      while (text.charAt(at) === ' ') at += 1
      if (at < text.length && text.charAt(at) !== ',') return err('a comma is missing between its arguments.')
    } else {
      const end = endOfPlain(text, at)
      const plain = text.slice(at, end).trim()
      if (plain !== '' || found.length > 0 || end < text.length) found.push({ text: plain, isSearch: false })
      at = end
    }
    if (at >= text.length) break
    at += 1
  }
  return ok(found)
}

const endOfPlain = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '[') depth += 1
    else if (character === ']') depth -= 1
    else if (character === ',' && depth <= 0) return at
  }
  return text.length
}

import { letterOf } from './functions.ts'

/** Equations: `B / A * 100` as they are written here, with the functions in place of the letters as they are asked and shared. */

const MARK = 'equation|'

export const isEquation = (text: string): boolean => text.startsWith(MARK)

/** As it is asked, without what says that it is an equation. */
export const bareText = (text: string): string => (isEquation(text) ? text.slice(MARK.length) : text)

interface Part {
  readonly kind: 'call' | 'letter' | 'plain' | 'wrong'
  readonly text: string
}

/** Behind the bracket that closes the call which begins here; -1 when none does. What is quoted has no brackets. */
function endOfCall(text: string, from: number): number {
  let depth = 0
  let quote = ''
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '`' || character === '"') quote = character
    else if (character === '(') depth += 1
    else if (character === ')' && --depth === 0) return at + 1
  }
  return -1
}

function partsOf(text: string): readonly Part[] {
  const parts: Part[] = []
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at)
    const name = /^[a-z][a-z0-9_]*\(/.exec(rest)?.[0]
    const end = name === undefined ? -1 : endOfCall(text, at)
    const plain = /^[-+*/().\d\s]+/.exec(rest)?.[0]
    const letter = /^[A-Z](?![\w(])/.exec(rest)?.[0]
    const part: Part =
      end !== -1
        ? { kind: 'call', text: text.slice(at, end) }
        : letter !== undefined
          ? { kind: 'letter', text: letter }
          : plain !== undefined
            ? { kind: 'plain', text: plain }
            : { kind: 'wrong', text: /^\S*/.exec(rest)?.[0] ?? rest }
    parts.push(part)
    at += part.text.length
  }
  return parts
}

export type Expanded =
  | { readonly ok: true; readonly text: string }
  /** A sentence about what is wrong with it. */
  | { readonly ok: false; readonly problem: string }

/** @param visualise functions by letter; what stands at `own` is the equation itself */
export function expandEquation(written: string, visualise: readonly string[], own: number): Expanded {
  const texts: string[] = []
  const parts = partsOf(written)
  for (const { kind, text } of parts) {
    if (kind === 'wrong')
      return { ok: false, problem: `“${text}” is no letter of a function, no number and no + − * /.` }
    if (kind !== 'letter') {
      texts.push(text)
      continue
    }
    const place = visualise.findIndex((_, at) => letterOf(at) === text)
    const meant = visualise[place]
    if (meant === undefined || place === own) return { ok: false, problem: `There is no function ${text}.` }
    texts.push(isEquation(meant) ? `(${bareText(meant)})` : meant)
  }
  if (!parts.some(({ kind }) => kind === 'call' || kind === 'letter')) {
    return { ok: false, problem: 'Write letters of functions and numbers, such as B / A * 100.' }
  }
  return { ok: true, text: MARK + texts.join('').trim() }
}

/** As it is written: letters where its functions are on screen. */
export function writtenEquation(equation: string, visualise: readonly string[]): string {
  return partsOf(bareText(equation))
    .map(({ kind, text }) => {
      const place = kind === 'call' ? visualise.indexOf(text) : -1
      return place === -1 ? text : letterOf(place)
    })
    .join('')
}

/** With another function at a place: equations that name it by its letter go on to do so. */
export function withReplaced(visualise: readonly string[], place: number, next: string): readonly string[] {
  const replaced = visualise.map((one, at) => (at === place ? next : one))
  const all = replaced.map((one, at) => {
    if (at === place || !isEquation(one)) return one
    const expanded = expandEquation(writtenEquation(one, visualise), replaced, at)
    return expanded.ok ? expanded.text : one
  })
  return [...new Set(all)]
}

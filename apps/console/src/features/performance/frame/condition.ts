import { formatText } from '@firsthand/search-syntax'

/** `key:value`, also of a function; an address is none. */
const CONDITION = /(^|[\s(])!?[\w.[\](),-]+:(?!\/\/)\S/

/** What somebody typed, as a condition: a search when it looks like one, else a part of the name. */
export function conditionOf(typed: string, name: string): string {
  const text = typed.trim()
  if (text === '') return ''
  if (!CONDITION.test(text)) return `${name}:"*${formatText(text).slice(1, -1)}*"`
  // A condition on a function may not stand in parentheses, and others need none unless they are alternatives.
  return / OR /.test(text) ? `(${text})` : text
}

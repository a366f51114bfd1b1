import type { Bind } from '../../search/index.ts'
import type { KeptElement } from '../mark.ts'

/** Attributes of elements that are kept, by the column. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['id', 'element_id'],
  ['role', 'role'],
  ['alt', 'alt'],
  ['title', 'title'],
  ['aria-label', 'aria_label'],
  ['data-testid', 'testid'],
  ['data-test-id', 'testid'],
  ['testid', 'testid'],
  ['data-sentry-component', 'component'],
])

const TYPE = /^(?:\*|[a-z][\w-]*)/i
/** As in CSS: what is no letter, digit, hyphen or underscore of a name has a backslash before it. */
const NAME = String.raw`((?:[\w-]|[^\0-\x7f]|\\.)+)`
const PART = new RegExp(
  String.raw`^(?:#${NAME}|\.${NAME}|\[([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\]"']*))\])`,
)

const unescaped = (written: string): string => written.replaceAll(/\\(.)/g, '$1')

/** A part of a selector that means exactly this id or class. */
const escapedName = (name: string): string =>
  name.replaceAll(/[\0-\x7f]/g, (sign) => (/[\w-]/.test(sign) ? sign : `\\${sign}`))

/**
 * A condition over clicks for one simple CSS selector: `button`, `#buy.large`, `a[role="tab"]`.
 *
 * @returns null for anything that is more than that
 */
export const compileSelector = (selector: string, bind: Bind): string | null => {
  const [type = ''] = TYPE.exec(selector) ?? []
  const conditions = type === '' || type === '*' ? [] : [`replay_marks.tag = ${bind(type.toLowerCase())}`]
  let rest = selector.slice(type.length)
  while (rest !== '') {
    const match = PART.exec(rest)
    if (match === null) return null
    const [whole, id, name, attribute, ...values] = match
    const value = unescaped(values.find((one) => one !== undefined) ?? '')
    if (id !== undefined) conditions.push(`replay_marks.element_id = ${bind(unescaped(id))}`)
    else if (name !== undefined) conditions.push(`has(replay_marks.classes, ${bind(unescaped(name))})`)
    else {
      const column = ATTRIBUTES.get((attribute ?? '').toLowerCase())
      if (column === undefined) return null
      conditions.push(`replay_marks.${column} = ${bind(value)}`)
    }
    rest = rest.slice(whole.length)
  }
  if (conditions.length > 0) return conditions.join(' AND ')
  return type === '*' ? '1' : null
}

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`

/** A simple selector for all that is known of an element; '' for nothing. */
export const selectorOf = (record: KeptElement): string => {
  const attributes: readonly (readonly [string, string])[] = [
    ['role', record.role],
    ['alt', record.alt],
    ['data-testid', record.testid],
    ['aria-label', record.ariaLabel],
    ['title', record.title],
    ['data-sentry-component', record.component],
  ]
  return [
    record.tag,
    record.id === '' ? '' : `#${escapedName(record.id)}`,
    ...record.classes.map((name) => `.${escapedName(name)}`),
    ...attributes.map(([name, value]) => (value === '' ? '' : `[${name}=${quoted(value)}]`)),
  ].join('')
}

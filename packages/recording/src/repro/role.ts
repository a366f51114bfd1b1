import { attributeOf } from './element.ts'
import type { PageNode } from '../page-tree.ts'

/** Roles as Playwright tells them, of elements that people use. Others have none here. */

const INPUT_ROLES: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  file: 'button',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  submit: 'button',
}

const TAG_ROLES: Readonly<Record<string, string>> = {
  button: 'button',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  option: 'option',
  svg: 'img',
  textarea: 'textbox',
}

/** Those that a locator is made of. */
const USED: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'combobox',
  'heading',
  'img',
  'link',
  'listbox',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'treeitem',
])

/** Their names come from what stands in them. */
const NAMED_BY_CONTENT: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'heading',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'switch',
  'tab',
  'treeitem',
])

export const isNamedByContent = (role: string | null): boolean => role !== null && NAMED_BY_CONTENT.has(role)

/** In lower case; `text` for what browsers do not know. */
export const inputTypeOf = (node: PageNode): string => (attributeOf(node, 'type') ?? 'text').toLowerCase()

const implicitRole = (node: PageNode): string | null => {
  switch (node.tag) {
    case 'a':
    case 'area':
      // As Playwright says it: the older `xlink:href` of an SVG makes no link.
      return attributeOf(node, 'href') === null ? null : 'link'
    case 'img':
      return attributeOf(node, 'alt') === '' ? null : 'img'
    case 'select': {
      const isList = attributeOf(node, 'multiple') !== null || Number(attributeOf(node, 'size') ?? '1') > 1
      return isList ? 'listbox' : 'combobox'
    }
    case 'input': {
      const type = inputTypeOf(node)
      if (type === 'hidden') return null
      if (type === 'search') return attributeOf(node, 'list') === null ? 'searchbox' : 'combobox'
      return INPUT_ROLES[type] ?? (attributeOf(node, 'list') === null ? 'textbox' : 'combobox')
    }
    default:
      return TAG_ROLES[node.tag] ?? null
  }
}

export const roleOf = (node: PageNode): string | null => {
  const words = (attributeOf(node, 'role') ?? '').toLowerCase().split(/\s+/)
  const said = words.find((word) => word !== '')
  const role = said ?? implicitRole(node)
  return role !== null && USED.has(role) ? role : null
}

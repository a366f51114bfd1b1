import { LIMITS } from './limits.ts'
import type { KeptElement } from './mark.ts'

/** What people call an element: `button`, “Pay now”. */
export interface ElementName {
  /** '' where nothing is known of it. */
  readonly role: string
  /** What stands on it, or what a screen reader says; '' where that is masked or there is nothing. */
  readonly name: string
  /** What tells it apart in the code where it has no name: `#pay`; '' where it has nothing of its own. */
  readonly handle: string
}

const TAG_ROLES: Readonly<Record<string, string>> = {
  a: 'link',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  img: 'image',
  li: 'list item',
  select: 'list',
  svg: 'icon',
  td: 'cell',
  textarea: 'text field',
}

const ROLE_WORDS: Readonly<Record<string, string>> = {
  combobox: 'list',
  gridcell: 'cell',
  img: 'image',
  listbox: 'list',
  listitem: 'list item',
  menuitem: 'menu item',
  menuitemcheckbox: 'menu item',
  menuitemradio: 'menu item',
  searchbox: 'search field',
  textbox: 'text field',
  treeitem: 'tree item',
}

/** As recorders mask text: each letter is another sign. */
const MASKED = /^[*•\s]+$/

const spoken = (text: string): string => {
  if (MASKED.test(text)) return ''
  const words = text.replaceAll(/\s+/g, ' ').trim()
  return words.length <= LIMITS.REPLAY_ELEMENT_CHARS ? words : `${words.slice(0, LIMITS.REPLAY_ELEMENT_CHARS - 1)}…`
}

/** Names that build tools make of styles say nothing to people. */
const isMade = (name: string): boolean => /\d|^(?:sc|css|jsx|emotion|svelte)-|__/.test(name)

const handleOf = ({ classes, component, id, testid }: KeptElement): string => {
  if (id !== '') return `#${id}`
  if (testid !== '') return `[${testid}]`
  if (component !== '') return `<${component}>`
  const own = classes.find((name) => !isMade(name))
  return own === undefined ? '' : `.${own}`
}

/** @param text what stood on it, as it was recorded; '' where several had different ones */
export const nameOf = (element: KeptElement, text: string): ElementName => {
  const { alt, ariaLabel, tag, title } = element
  const [said = ''] = element.role.toLowerCase().split(/\s+/)
  return {
    role: said === '' ? (TAG_ROLES[tag] ?? tag) : (ROLE_WORDS[said] ?? said),
    name: [ariaLabel, text, alt, title].map(spoken).find((name) => name !== '') ?? '',
    handle: handleOf(element),
  }
}

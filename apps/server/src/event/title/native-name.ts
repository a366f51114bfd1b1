const ANONYMOUS = '(anonymous namespace)'

/**
 * The name of a function of C, C++, Rust or Swift without return type, arguments and the types that a template was made
 * for: `void shop::Basket<int>::add(long) const` is `shop::Basket<T>::add`. Methods of Objective-C stay as they are.
 */
export const shortNativeName = (name: string): string => {
  // `<Basket as Debug>::fmt`: a list at the beginning is part of the name.
  if (/^(?:[+-]?\[|<)/.test(name)) return name
  const bare = name
    .split(' -> ', 1)
    .join('')
    .replace(/\s+const$/, '')
    .trim()
  if (bare.includes('operator')) return bare.replace(/(?<!operator)\([^()]*\)$/, '') || name
  const short = withoutLists(bare.replaceAll(ANONYMOUS, ANONYMOUS_MARK))
  return short.slice(short.lastIndexOf(' ') + 1).replaceAll(ANONYMOUS_MARK, ANONYMOUS) || name
}

const ANONYMOUS_MARK = '\0'

/** Without what is in brackets; `<…>` leaves `<T>`. */
const withoutLists = (text: string): string => {
  let short = ''
  let depth = 0
  let isTemplate = false
  for (const character of text) {
    if (character === '<' || character === '(') {
      if (depth === 0) isTemplate = character === '<'
      depth++
    } else if (depth > 0 && (character === '>' || character === ')')) {
      depth--
      if (depth === 0 && isTemplate) short += '<T>'
    } else if (depth === 0) short += character
  }
  return short
}

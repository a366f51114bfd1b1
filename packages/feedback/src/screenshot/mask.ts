import type { PictureOptions } from './contract.ts'

/** Replaced by a box of the same size, with everything inside. */
const BLOCKED = ['[data-fh-mask]', '[data-fh-block]']

/** Never opened by `data-fh-unmask` or a configured selector (widget.md E 85). */
const SECRET = [
  'input[type="password" i]',
  'input[autocomplete*="cc-" i]',
  'select[autocomplete*="cc-" i]',
  'textarea[autocomplete*="cc-" i]',
  'input[autocomplete*="one-time-code" i]',
  'input[autocomplete*="password" i]',
]

/** Fields that hold what the visitor typed or chose. Boxes to tick, sliders and buttons say nothing by themselves. */
const TYPED = [
  'input:not([type="button" i], [type="submit" i], [type="reset" i], [type="image" i], [type="checkbox" i], [type="radio" i], [type="range" i])',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable="false" i])',
]

/**
 * What happens to an element in a picture.
 * `box`: painted over, with its content · `value`: its value is painted over, in the element's own place.
 */
export type Masking = 'box' | 'value' | null

/** A page may turn the type of a password field to text to show it; it stays secret for as long as it is the same element. */
const wasPassword = new WeakSet<Element>()

/**
 * Decides for one element; whether it is inside a masked one is the caller's to know.
 * A configured selector that is not valid CSS masks nothing alone; the others still count.
 */
export const createMasking = (options: PictureOptions): ((element: Element) => Masking) => {
  const boxed = joined([...BLOCKED, ...(options.mask ?? [])])
  const unmasked = joined(['[data-fh-unmask]', ...(options.unmask ?? [])])
  const secret = SECRET.join()
  const typed = TYPED.join()
  return (element) => {
    if (element.matches(boxed)) return 'box'
    if (element.matches(secret)) {
      wasPassword.add(element)
      return 'value'
    }
    if (wasPassword.has(element)) return 'value'
    return element.matches(typed) && element.closest(unmasked) === null ? 'value' : null
  }
}

const joined = (selectors: readonly string[]): string =>
  selectors
    .filter((selector) => {
      try {
        document.createDocumentFragment().querySelector(selector)
        return true
      } catch {
        // One selector that the browser cannot read would make the whole list invalid, and nothing would be hidden.
        return false
      }
    })
    .join()

/**
 * All masked elements of the page with what is inside of them, those in open shadow roots and in frames of the same origin
 * included. What is inside counts by itself, because it may lie elsewhere: a menu below its button, the children of an element
 * without a box (`display: contents`).
 */
export const maskedElements = (
  masking: (element: Element) => Masking,
  root: ParentNode = document,
  isInside = false,
): Element[] => {
  const found: Element[] = []
  let box: Element | null = null
  for (const element of root.querySelectorAll('*')) {
    const masked = masking(element)
    const isBoxed: boolean = isInside || box?.contains(element) === true
    if (masked === 'box' && !isBoxed) box = element
    if (isBoxed || masked !== null) found.push(element)
    if (element.shadowRoot !== null)
      found.push(...maskedElements(masking, element.shadowRoot, isBoxed || masked === 'box'))
    if (element.localName === 'iframe') {
      const inner = documentOf(element as HTMLIFrameElement)
      if (inner !== null) found.push(...maskedElements(masking, inner))
    }
  }
  return found
}

const documentOf = (frame: HTMLIFrameElement): Document | null => {
  try {
    return frame.contentDocument
  } catch {
    // A frame of another origin may not be looked into.
    return null
  }
}

/** Of the capture phase on the window: before any handler of the page. */
const TYPED = 'input[type=text],input[type=email],input:not([type]),textarea'
const TYPES = ['keydown', 'keypress', 'keyup', 'beforeinput'] as const

/**
 * While on: Escape in the widget is the widget's, and what is typed into its text fields reaches no handler of the page, not even one
 * that would prevent it.
 */
export const guardKeys = (host: Element, onEscape: () => void): { on(): void; off(): void } => {
  const listen = (event: Event): void => {
    const [target] = event.composedPath()
    // With no focus inside a modal dialog, keys belong to the body.
    const isOurs = event.composedPath().includes(host) || target === document.body
    if (!isOurs) return
    if (event instanceof KeyboardEvent && event.key === 'Escape' && !event.isComposing) {
      event.stopImmediatePropagation()
      event.preventDefault()
      if (event.type === 'keydown') onEscape()
    } else if (target instanceof Element && target.matches(TYPED)) {
      event.stopImmediatePropagation()
    }
  }
  return {
    on: () => TYPES.forEach((type) => addEventListener(type, listen, true)),
    off: () => TYPES.forEach((type) => removeEventListener(type, listen, true)),
  }
}

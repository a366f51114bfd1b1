/** Functions that run inside the page. They refer to nothing outside of themselves, because their text is what is sent. */

/**
 * The first element that is shown and that a pointer would hit, also inside open shadow roots.
 *
 * @param label what it is called, exactly: `aria-label`, else its text; '' for whatever it is called
 */
export const findShown = (css: string, label: string): Element | null => {
  const roots: (Document | ShadowRoot)[] = [document]
  // The list grows while it is read: shadow roots inside shadow roots.
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot !== null) roots.push(element.shadowRoot)
  }
  for (const root of roots) {
    for (const element of root.querySelectorAll(css)) {
      if (label !== '') {
        const said = element.cloneNode(true) as Element
        for (const decoration of said.querySelectorAll('[aria-hidden=true]')) decoration.remove()
        if ((element.getAttribute('aria-label') ?? said.textContent.trim()) !== label) continue
      }
      element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      const { left, top, width, height } = element.getBoundingClientRect()
      if (width === 0 || height === 0) continue
      const hit = root.elementFromPoint(left + width / 2, top + height / 2)
      if (hit !== null && element.contains(hit)) return element
    }
  }
  return null
}

/** Browsers keep some violations of a policy to themselves: those that the script has caught. */
export const sayViolations = (): void => {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
    console.error(`refused by ${violatedDirective}: ${blockedURI} at ${sourceFile}:${lineNumber}`)
  })
}

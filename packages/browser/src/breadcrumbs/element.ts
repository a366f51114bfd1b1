import { guard } from '../guard.ts'

/** Elements up the tree, and characters in all. */
const MAX_ELEMENTS = 5
const MAX_LENGTH = 80
const ATTRIBUTES: readonly string[] = ['aria-label', 'type', 'name', 'title', 'alt']

const say = (element: Element, names: readonly string[]): string => {
  const component = element.getAttribute('data-fh-component') ?? element.getAttribute('data-sentry-component')
  if (component) return component
  const { id } = element
  // Elements of vector graphics have no text for a class, and a form may have a field called "id".
  const classes = (element.getAttribute('class') ?? '').split(/\s+/).filter(Boolean)
  const attributes = names.flatMap((name) => {
    const value = element.getAttribute(name)
    return value ? [`[${name}="${value}"]`] : []
  })
  return [
    element.tagName.toLowerCase(),
    typeof id === 'string' && id ? `#${id}` : '',
    ...classes.map((name) => `.${name}`),
    ...attributes,
  ].join('')
}

/**
 * `main > form.login > button#send`.
 *
 * @param attributes those that are told; the usual ones may hold text that a visitor reads
 */
export const describeElement = (target: unknown, attributes = ATTRIBUTES): string =>
  guard(() => {
    let element: Element | null = target instanceof Element ? target : null
    let said = ''
    for (let level = 0; element && level < MAX_ELEMENTS && element.tagName !== 'HTML'; level += 1) {
      const one = say(element, attributes).slice(0, MAX_LENGTH)
      if (level > 0 && said.length + one.length + 3 > MAX_LENGTH) break
      said = level === 0 ? one : `${one} > ${said}`
      element = element.parentElement
    }
    return said || '<unknown>'
  }, '<unknown>')

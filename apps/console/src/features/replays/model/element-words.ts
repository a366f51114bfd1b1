/** What people call an element, as the server knows it. */
export interface ElementName {
  readonly role?: string | undefined
  readonly name?: string | undefined
  readonly handle?: string | undefined
}

export interface ElementWords {
  /** `button`; '' where nothing is known. */
  readonly role: string
  /** `“Pay now”`, or without a name `#pay`; '' where it has neither. */
  readonly name: string
}

/** The last two steps of a selector, without what stands in brackets. */
const shortened = (selector: string): string =>
  selector
    .split(' > ')
    .slice(-2)
    .map((step) => step.replace(/\[.*/, ''))
    .join(' > ')

/** How an element is called wherever it is shown. @param selector for one of which nothing else is known */
export function elementWords({ role = '', name = '', handle = '' }: ElementName, selector: string): ElementWords {
  if (name !== '') return { role, name: `“${name}”` }
  if (handle !== '') return { role, name: handle }
  const short = shortened(selector)
  return { role: short === role ? '' : role, name: short }
}

export const elementText = (element: ElementName, selector: string): string => {
  const { name, role } = elementWords(element, selector)
  return [role, name].filter((word) => word !== '').join(' ')
}

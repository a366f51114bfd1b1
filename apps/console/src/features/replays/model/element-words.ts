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

/** What tells an element from others of its kind, the best first: `[name="email"]`. A recorder writes some of them. */
const TELLING = ['name', 'aria-label', 'placeholder', 'title', 'alt', 'type'] as const
/** Recorders mask words of a page like that. */
const MASKED = /^\*+$/
/** More of such a value is not shown. Characters. */
const VALUE_CHARACTERS = 60

/** `input[type="email"][name="email"]` → `[name=email]`; '' where nothing in brackets tells it from others. */
function tellingPart(step: string): string {
  for (const attribute of TELLING) {
    const value = new RegExp(`\\[${attribute}="([^"]+)"\\]`).exec(step)?.[1]
    if (value !== undefined && !MASKED.test(value)) return `[${attribute}=${value.slice(0, VALUE_CHARACTERS)}]`
  }
  return ''
}

const withoutBrackets = (step: string): string => step.replace(/\[.*/, '')

/** The last two steps of a selector, or the last one alone where it tells the element from others by itself. */
function shortened(selector: string): string {
  const steps = selector.split(' > ').slice(-2)
  const last = steps.at(-1) ?? ''
  const bare = withoutBrackets(last)
  const telling = bare.includes('#') ? '' : tellingPart(last)
  return telling === '' ? steps.map(withoutBrackets).join(' > ') : bare + telling
}

/** How an element is called wherever it is shown. @param selector for one of which nothing else is known */
export function elementWords({ role = '', name = '', handle = '' }: ElementName, selector: string): ElementWords {
  if (name !== '') return { role, name: `“${name}”` }
  if (handle !== '') return { role, name: handle }
  const short = shortened(selector)
  return { role: short === role || short.startsWith(`${role}[`) ? '' : role, name: short }
}

export const elementText = (element: ElementName, selector: string): string => {
  const { name, role } = elementWords(element, selector)
  return [role, name].filter((word) => word !== '').join(' ')
}

import { describeElement, guard, text } from '@firsthand/browser/parts'
import type { DomRecording } from '../dom/index.ts'
import { FIELDS, maskText } from '../privacy/mask-attributes.ts'

const MAX_TEXT = 1024
/** Those that an index of clicks asks for. */
const TOLD = ['id', 'class', 'aria-label', 'role', 'name', 'alt', 'title', 'disabled', 'aria-disabled']
const TEST_IDS = ['data-testid', 'data-test-id']
const COMPONENTS = ['data-fh-component', 'data-sentry-component', 'data-sentry-element']

export interface Described {
  /** `main > form.login > button#send` */
  readonly message: string
  /** Empty where the recording does not know the element. */
  readonly data: Readonly<Record<string, unknown>>
}

const UNKNOWN: Described = { message: '<unknown>', data: {} }

/** The element itself, also inside of a shadow root. */
export const targetOf = (event: Event): Element | undefined => {
  const target = event.composedPath()[0] ?? event.target
  return target instanceof Element ? target : undefined
}

/** What is clicked when something in it is. */
export const clickable = (element: Element): Element => element.closest('button,a') ?? element

const ownText = (element: Element): string => {
  let said = ''
  for (let node = element.firstChild; node && said.length < MAX_TEXT; node = node.nextSibling)
    if (node.nodeType === 3) said += (node.nodeValue ?? '').trim()
  return text(said, MAX_TEXT)
}

/** It and what is around it. */
const chainOf = (element: Element): Element[] => {
  const chain: Element[] = []
  for (let one: Element | null = element; one; one = one.parentElement) chain.push(one)
  return chain
}

/** An element as the index of replays knows it, with nothing in it that the picture does not show. */
export const describe = (element: Element, dom: DomRecording | undefined): Described =>
  guard(() => {
    if (dom === undefined) return UNKNOWN
    const { rules, idOf, maskedAttribute } = dom
    const box = rules.boxOf(element)
    const shown = box ?? element
    const id = idOf(shown)
    const tagName = shown.localName
    // Of a box nothing is known but that it is there.
    const node = { id, tagName, textContent: '', attributes: {} }
    if (box) return { message: tagName, data: id > 0 ? { nodeId: id, node } : {} }
    const isHidden = (one: Element): boolean =>
      rules.isMasked(rules.said(one), FIELDS.has(one.tagName)) || rules.isSecret(one)
    /** Names of fields say which they are; those of custom elements may be anybody's. */
    const isName = (one: Element): boolean => {
      const value = one.getAttribute('name')
      return value === null || !isHidden(one) || maskedAttribute('name', value, one) === value
    }
    const message = describeElement(element, chainOf(element).every(isName) ? ['type', 'name'] : ['type'])
    if (id <= 0) return { message, data: {} }
    const isMasked = isHidden(element)
    const attributes: Record<string, string> = {}
    const tell = (name: string, as: string): void => {
      const value = element.getAttribute(name)
      if (value !== null) attributes[as] ??= text(isMasked ? maskedAttribute(name, value, element) : value, MAX_TEXT)
    }
    for (const name of TOLD) tell(name, name)
    for (const name of TEST_IDS) tell(name, 'testId')
    for (const name of COMPONENTS) tell(name, 'data-sentry-component')
    const own = ownText(element)
    return {
      message,
      data: { nodeId: id, node: { ...node, textContent: isMasked ? maskText(own) : own, attributes } },
    }
  }, UNKNOWN)

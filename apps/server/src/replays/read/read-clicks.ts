import { fieldsOf, isFields, type Fields } from '@firsthand/recording'
import { LIMITS } from '../limits.ts'
import type { MarkedElement } from '../mark.ts'
import { cut, numberIn, textIn } from './fields.ts'

/** An SDK waits so long for the page to answer. */
const DEAD_AFTER_MS = 7000
const RAGE_CLICKS = 5
/** On other elements, nothing has to happen. */
const ANSWERING: ReadonlySet<string> = new Set(['a', 'button', 'input'])

const words = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? value
        .split(/\s+/, LIMITS.REPLAY_ELEMENT_CLASSES * 2)
        .filter((word) => word !== '')
        .slice(0, LIMITS.REPLAY_ELEMENT_CLASSES)
        .map((word) => cut(word, LIMITS.REPLAY_ELEMENT_CHARS))
    : []

/** The element that a breadcrumb is about, in as many characters as Sentry keeps. Null when it names none. */
export const readElement = (payload: Fields, data: Fields): { element: MarkedElement; text: string } | null => {
  const { node } = data
  if (!isFields(node)) return null
  const attributes = fieldsOf(node['attributes'])
  const short = (name: string): string => textIn(attributes, name, LIMITS.REPLAY_ELEMENT_CHARS)
  const word = (fields: Fields, name: string): string => textIn(fields, name, LIMITS.REPLAY_ELEMENT_WORD_CHARS)
  const nodeId = numberIn(node, 'id') ?? numberIn(data, 'nodeId')
  return {
    text: textIn(node, 'textContent', LIMITS.REPLAY_MARK_TEXT_CHARS),
    element: {
      nodeId: nodeId !== null && Number.isSafeInteger(nodeId) ? nodeId : null,
      // Inside of a shadow root it begins with what is between its host and it.
      selector: textIn(payload, 'message', LIMITS.REPLAY_MARK_TEXT_CHARS).replace(/^[\s>]+/, ''),
      tag: word(node, 'tagName').toLowerCase(),
      id: short('id'),
      classes: words(attributes['class']),
      role: word(attributes, 'role'),
      alt: short('alt'),
      testid: short('testId') || short('data-testid') || short('data-test-id'),
      ariaLabel: short('aria-label'),
      title: short('title'),
      component: short('data-sentry-component'),
    },
  }
}

/** Older SDKs write the names in lower case. */
const either = (data: Fields, name: string): number | null => numberIn(data, name) ?? numberIn(data, name.toLowerCase())

/** What a click was to which the page answered late or never; null for one that it answered. */
export const slowClickKind = (data: Fields, tag: string): 'dead_click' | 'rage_click' | null => {
  const reason = data['endReason'] ?? data['endreason']
  const waited = either(data, 'timeAfterClickMs') ?? 0
  if (reason !== 'timeout' || !ANSWERING.has(tag) || waited < DEAD_AFTER_MS) return null
  return (either(data, 'clickCount') ?? 0) >= RAGE_CLICKS ? 'rage_click' : 'dead_click'
}

export const clicksOf = (data: Fields): number | null => either(data, 'clickCount')
export const waitedOf = (data: Fields): number | null => either(data, 'timeAfterClickMs')

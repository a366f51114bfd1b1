import type { FeedbackOptions } from '@firsthand/feedback'
import { guard, isObject, warn } from '../guard.ts'

type Attributes = Readonly<Record<string, string | undefined>>

const PREFIX = 'feedback'
/** `data-feedback-label="…"` is the text of the trigger. */
const SHORT: Readonly<Record<string, string>> = { label: 'triggerLabel' }

const valueOf = (value: string): unknown =>
  value === '' || value === 'true' ? true : value === 'false' ? false : value

/** The script tag has `data-feedback`, and not as `"false"`. */
export const isFeedbackWanted = (attributes: Attributes): boolean =>
  attributes[PREFIX] !== undefined && attributes[PREFIX] !== 'false'

/**
 * Options of the widget: `data-feedback='{"showName": false}'` as JSON, and simple ones each in an attribute of their own,
 * `data-feedback-language="de"`, `data-feedback-show-name="false"`.
 */
export const feedbackOptions = (attributes: Attributes): FeedbackOptions => {
  const given = attributes[PREFIX] ?? ''
  const options: Record<string, unknown> = {}
  if (given.startsWith('{')) {
    const parsed: unknown = guard(() => JSON.parse(given))
    if (isObject(parsed)) Object.assign(options, parsed)
    else warn('data-feedback is not JSON, so its options are left out:', given)
  }
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(PREFIX) || key === PREFIX || value === undefined) continue
    const name = key.charAt(PREFIX.length).toLowerCase() + key.slice(PREFIX.length + 1)
    options[SHORT[name] ?? name] = valueOf(value)
  }
  return options
}

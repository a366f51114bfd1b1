import type { FeedbackOptions } from '@firsthand/feedback'
import { feedbackOf, sdkOf, type Configuration } from './sdk.ts'

/** Widgets keep a form per options object, so the same wish must be the same object. */
const wishes = new WeakMap<object, Map<string, FeedbackOptions>>()
const NONE: FeedbackOptions = {}

/** `onClick={open}` hands over the click: no wish, and another object each time, which would be another form each time. */
const isEvent = (given: object): boolean =>
  'nativeEvent' in given || (typeof Event !== 'undefined' && given instanceof Event)

const linked = (options: FeedbackOptions, eventId: string | undefined): FeedbackOptions => {
  if (eventId === undefined || options.associatedEventId !== undefined) return options
  const known = wishes.get(options) ?? new Map<string, FeedbackOptions>()
  wishes.set(options, known)
  const wish = known.get(eventId) ?? { ...options, associatedEventId: eventId }
  known.set(eventId, wish)
  return wish
}

/**
 * Opens the form; about an event, if one is named. Without a widget, an event still has the server's own form
 * (`showReportDialog`). False when there is neither.
 */
export const openFeedback = async (
  own: Configuration,
  options: FeedbackOptions = NONE,
  eventId?: string,
): Promise<boolean> => {
  const widget = feedbackOf(own)
  const wish = linked(isEvent(options) ? NONE : options, eventId)
  if (widget?.openDialog !== undefined) {
    await widget.openDialog(wish)
    return true
  }
  if (widget !== undefined) {
    // Sentry's widget knows no associated event as an option, but passes tags on.
    const tags = eventId === undefined ? wish.tags : { ...wish.tags, associated_event_id: eventId }
    const form = await widget.createForm(tags === undefined ? wish : { ...wish, tags })
    form.appendToDom()
    form.open()
    return true
  }
  const { showReportDialog } = sdkOf(own)
  if (eventId === undefined || showReportDialog === undefined) return false
  showReportDialog({ eventId })
  return true
}

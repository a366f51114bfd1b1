import type { FeedbackOptions } from '@firsthand/feedback'
import { createElement, forwardRef, type ButtonHTMLAttributes, type MouseEvent } from 'react'
import { useFeedback } from './use-feedback.ts'

export interface FeedbackButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Of the form that this button opens. Keep the object between renderings: each object has a form, and a draft, of its own. */
  readonly options?: FeedbackOptions
  /** Of the event that the report is about. */
  readonly eventId?: string
}

const LABEL = 'Give feedback'

/**
 * A plain button with everything a button has, which opens the form. A handler that prevents the default keeps it closed.
 * Inside of a boundary's fallback, the report is linked to the event by itself.
 */
export const FeedbackButton = forwardRef<HTMLButtonElement, FeedbackButtonProps>(function FeedbackButton(
  { options, eventId, onClick, children = LABEL, ...rest },
  ref,
) {
  const { open } = useFeedback(eventId)
  return createElement(
    'button',
    {
      type: 'button',
      ...rest,
      ref,
      onClick: (event: MouseEvent<HTMLButtonElement>) => {
        onClick?.(event)
        if (!event.defaultPrevented) void open(options)
      },
    },
    children,
  )
})

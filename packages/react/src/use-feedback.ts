import type { FeedbackOptions, SendFeedbackParams } from '@firsthand/feedback'
import { useContext, useMemo, useSyncExternalStore } from 'react'
import { ConfigurationContext, EventContext } from './context.ts'
import { openFeedback } from './open-feedback.ts'
import { feedbackOf, onConfigured } from './sdk.ts'

export interface FeedbackHandle {
  /** A widget is set up on this page. False on a server and while hydrating. */
  readonly isAvailable: boolean
  /** Opens the form. False when there is none. */
  readonly open: (options?: FeedbackOptions) => Promise<boolean>
  readonly close: () => void
  /** Sends without showing anything. Resolves to the event id; rejects when there is no widget or the server refuses. */
  readonly send: (params: SendFeedbackParams) => Promise<string>
}

/** A widget may be loaded late, and nothing announces it: these are the times (milliseconds) at which it is looked for again. */
const ASKED_AGAIN_MS = [100, 500, 1500, 4000, 10_000]

const subscribe = (onChange: () => void): (() => void) => {
  const forget = onConfigured(onChange)
  const timers = ASKED_AGAIN_MS.map((delay) => setTimeout(onChange, delay))
  return () => {
    forget()
    for (const timer of timers) clearTimeout(timer)
  }
}

const onServer = (): boolean => false

/**
 * The widget that was set up with the SDK (`feedbackIntegration`), a provider, or `configure`.
 *
 * @param about id of the event that reports are about; inside of a boundary's fallback, its event unless said otherwise
 */
export const useFeedback = (about?: string): FeedbackHandle => {
  const own = useContext(ConfigurationContext)
  const fallbackEvent = useContext(EventContext)
  const eventId = about ?? fallbackEvent
  const isAvailable = useSyncExternalStore(subscribe, () => feedbackOf(own) !== undefined, onServer)
  return useMemo(
    () => ({
      isAvailable,
      open: (options?: FeedbackOptions) => openFeedback(own, options, eventId),
      close: () => feedbackOf(own)?.closeDialog?.(),
      send: async (params: SendFeedbackParams) => {
        const widget = feedbackOf(own)
        if (widget?.sendFeedback === undefined) {
          throw new Error(
            'There is no feedback widget on this page. Add feedbackIntegration() to the integrations of init.',
          )
        }
        return widget.sendFeedback(eventId === undefined ? params : { associatedEventId: eventId, ...params })
      },
    }),
    [own, eventId, isAvailable],
  )
}

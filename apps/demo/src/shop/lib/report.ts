import { getClient, init, setUser, type Event } from '@firsthand/browser'
import { browserTracingIntegration } from '@firsthand/browser/tracing'
import { feedbackIntegration } from '@firsthand/feedback'
import { replayIntegration } from '@firsthand/replay'
import { noteSent } from './sent.ts'
import { settings } from './settings.ts'
import { themeStore } from './theme.ts'

const SHOPPER = { id: '42', email: 'robin@example.com', username: 'Robin' }

/** The widget of the whole shop. */
export const feedback = feedbackIntegration({
  colorScheme: themeStore.get(),
  formTitle: 'Tell us',
  triggerLabel: 'Feedback',
  submitButtonLabel: 'Send',
  messagePlaceholder: 'What did you expect, and what happened?',
  themeLight: { accentBackground: '#b4481f', accentForeground: '#ffffff' },
  themeDark: { accentBackground: '#e8825c', accentForeground: '#1d1512' },
  tags: { shop: 'kettle' },
  onSubmitSuccess: (data, eventId) => noteSent(eventId, `Feedback: ${data.message}`),
})

const titleOf = ({ exception, message }: Event): string => {
  const last = exception?.values?.at(-1)
  return last === undefined ? (message ?? 'Event') : `${last.type ?? 'Error'}: ${last.value ?? ''}`
}

export const startReporting = (): void => {
  init({
    dsn: settings.dsn,
    tunnel: settings.tunnel,
    release: settings.release,
    environment: 'demo',
    // A demo shows everything; a real shop would record and trace a share of its visits.
    tracesSampleRate: 1,
    replaysSessionSampleRate: 1,
    integrations: [
      feedback,
      browserTracingIntegration(),
      // All that is written and shown in this shop is made up. What visitors type stays masked.
      replayIntegration({ maskAllText: false, blockAllMedia: false, networkDetailAllowUrls: ['/api/'] }),
    ],
  })
  setUser(SHOPPER)
  getClient()?.on('afterSendEvent', (event: Event) => {
    if (event.type !== 'feedback') noteSent(event.event_id ?? '', titleOf(event))
  })
}

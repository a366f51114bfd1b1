import { captureException, init, setUser } from '@firsthand/browser'
import { feedbackIntegration } from '@firsthand/feedback'

/** What the reports of this console say of it. */
export interface Watched {
  readonly dsn: string
  readonly release: string
  readonly user: { readonly id: string; readonly email: string; readonly username: string }
}

export interface Reporting {
  report(error: unknown): void
  showButton(isShown: boolean): void
  /** Opens the form of the button. */
  ask(): void
}

/** Of the server itself; same origin, so that the page's Content-Security-Policy needs no exception. */
const TUNNEL = '/tunnel'
const OFFSET_PX = 16

export function begin({ dsn, release, user }: Watched): Reporting {
  const feedback = feedbackIntegration({
    autoInject: false,
    id: 'firsthand-own-feedback',
    triggerLabel: '',
    triggerAriaLabel: 'Report a problem with Firsthand',
    formTitle: 'What is wrong with Firsthand?',
    submitButtonLabel: 'Send report',
    useSentryUser: { name: 'username', email: 'email' },
    offset: { block: OFFSET_PX, inline: OFFSET_PX },
  })
  init({ dsn, release, tunnel: TUNNEL, environment: 'console', integrations: (usual) => [...usual, feedback] })
  setUser(user)
  let button: ReturnType<typeof feedback.createWidget> | null = null
  return {
    report: (error) => void captureException(error),
    ask: () => void feedback.openDialog(),
    showButton: (isShown) => {
      if (isShown) button ??= feedback.createWidget()
      else {
        button?.removeFromDom()
        button = null
      }
    },
  }
}

import { addIntegration, captureException, init, setUser } from '@firsthand/browser'
import { traceTanstackRouter, type TracedTanstackRouter } from '@firsthand/browser/tanstack-router'
import { feedbackIntegration } from '@firsthand/feedback'

/** What the reports of this console say of it. */
export interface Watched {
  readonly dsn: string
  readonly release: string
  /** Share of page loads and navigations that are reported, 0–1. */
  readonly viewsSampleRate: number
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

/** Page loads and navigations under the names of their routes. A part of its own, for who does not want it never loads it. */
async function trace(router: TracedTanstackRouter): Promise<void> {
  const { browserTracingIntegration } = await import('@firsthand/browser/tracing')
  addIntegration(browserTracingIntegration())
  traceTanstackRouter(router)
}

export function begin({ dsn, release, viewsSampleRate, user }: Watched, router: TracedTanstackRouter): Reporting {
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
  init({
    dsn,
    release,
    tracesSampleRate: viewsSampleRate,
    tunnel: TUNNEL,
    environment: 'console',
    integrations: (usual) => [...usual, feedback],
  })
  setUser(user)
  // A console that cannot load this goes on all the same.
  if (viewsSampleRate > 0) trace(router).catch(() => undefined)
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

import { getClient, init } from '@firsthand/browser'
import { feedbackIntegration, type FeedbackOptions } from '@firsthand/feedback'
import '../base.css'
import './stage.css'

interface Settings {
  readonly dsn: string
  readonly release: string
  readonly tunnel: string
  readonly isDirect: boolean
  readonly feedback: FeedbackOptions
  readonly theme: 'dark' | 'light' | null
}

const settings = JSON.parse(document.querySelector('#settings')?.textContent ?? '{}') as Settings
const status = document.querySelector('.arrived')
const each = (selector: string, work: (element: HTMLElement) => void): void =>
  document.querySelectorAll<HTMLElement>(selector).forEach(work)

if (settings.theme !== null) document.documentElement.dataset['theme'] = settings.theme

const feedback = feedbackIntegration({
  ...settings.feedback,
  onSubmitSuccess: (_, eventId) => {
    if (status !== null) status.textContent = `✓ ${eventId}`
  },
})

init({
  dsn: settings.dsn,
  release: settings.release,
  ...(!settings.isDirect && { tunnel: settings.tunnel }),
  integrations: [feedback],
})

each('[data-feedback-trigger]', (element) => feedback.attachTo(element))
each('[data-throw]', (element) =>
  element.addEventListener('click', () => {
    throw new Error(`Thrown on purpose on ${location.pathname}`)
  }),
)

const modal = document.querySelector<HTMLDialogElement>('#modal')
modal?.showModal()
each('[data-open-modal]', (element) => element.addEventListener('click', () => modal?.showModal()))

// What a page can do to look as if it had no connection: the browser says so, and requests fail.
each('[data-offline]', (element) => {
  const send = window.fetch.bind(window)
  let isCut = false
  Object.defineProperty(navigator, 'onLine', { get: () => !isCut })
  window.fetch = (...given) => (isCut ? Promise.reject(new TypeError('Failed to fetch')) : send(...given))
  element.addEventListener('click', () => {
    isCut = !isCut
    element.setAttribute('aria-pressed', String(isCut))
    element.textContent = isCut ? 'Connect again' : 'Cut the connection'
    window.dispatchEvent(new Event(isCut ? 'offline' : 'online'))
  })
})

// Noted where tests and curious people look.
getClient()?.on('afterSendEvent', (event: { readonly event_id?: string }) => {
  document.documentElement.dataset['lastEvent'] = event.event_id ?? ''
})

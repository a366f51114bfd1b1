import { originOf, parseDsnParts } from '@firsthand/protocol/wire'
import { getClient, getIsolationScope, lastEventId } from './api.ts'
import { guard, text } from './guard.ts'

/** Of the form that the server shows for an event; texts by the names of `@sentry/browser`. */
export interface ReportDialogOptions {
  dsn?: string | undefined
  eventId?: string | undefined
  user?: { name?: string | undefined; email?: string | undefined } | undefined
  onLoad?: (() => void) | undefined
  onClose?: (() => void) | undefined
  [text: string]: unknown
}

interface Policy {
  createScriptURL(url: string): string
}

let policy: Policy | undefined

/** The address in the form that pages with `require-trusted-types-for 'script'` want it in, where they allow that. */
const trusted = (url: string): string => {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }
  policy ??= guard(() => trustedTypes?.createPolicy('firsthand', { createScriptURL: (one) => one }))
  return policy?.createScriptURL(url) ?? url
}

/** Shows the server's form "what happened?" for an event: the last one, unless another is named (protocol.md 2.8). */
export const showReportDialog = (options: ReportDialogOptions = {}): void => {
  guard(() => {
    const dsn = text(options.dsn ?? getClient()?.getOptions().dsn ?? '')
    const parts = parseDsnParts(dsn)
    const eventId = options.eventId ?? lastEventId()
    if (!parts || !eventId) return
    const query = new URLSearchParams({ dsn, eventId })
    const { user, onLoad, onClose, ...texts } = options
    const { username, email } = getIsolationScope().getScopeData().user
    for (const [key, value] of Object.entries({ name: username, email, ...user, ...texts })) {
      if (typeof value === 'string') query.set(key, value)
    }
    const script = document.createElement('script')
    script.async = true
    script.crossOrigin = 'anonymous'
    script.src = trusted(`${originOf(parts)}/api/embed/error-page/?${query}`)
    if (onLoad) script.addEventListener('load', () => guard(onLoad))
    if (onClose) {
      addEventListener('message', function onMessage({ data }) {
        if (data !== '__sentry_reportdialog_closed__') return
        removeEventListener('message', onMessage)
        guard(onClose)
      })
    }
    document.head.append(script)
  })
}

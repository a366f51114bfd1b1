import { addBreadcrumb } from '../api.ts'
import { guard } from '../guard.ts'
import { ownRequests } from '../own-requests.ts'
import { watchFetch, watchXhr } from './network.ts'
import { watchConsole, watchDom, watchNavigation } from './page.ts'
import type { Event, Integration } from '../types.ts'

export interface BreadcrumbsOptions {
  console?: boolean
  dom?: boolean
  fetch?: boolean
  history?: boolean
  /** What was reported before. */
  sentry?: boolean
  xhr?: boolean
}

/** Notes what happened before an error: clicks, keys (not which), navigation, requests, the console. */
export const breadcrumbsIntegration = (options: BreadcrumbsOptions = {}): Integration => ({
  name: 'Breadcrumbs',
  setup: (client) => {
    if (typeof addEventListener === 'undefined') return
    const isOwn = ownRequests(client)
    const watchers = [
      options.console !== false && watchConsole,
      options.dom !== false && watchDom,
      options.history !== false && watchNavigation,
      options.fetch !== false && (() => watchFetch(isOwn)),
      options.xhr !== false && (() => watchXhr(isOwn)),
    ]
    for (const watch of watchers) {
      const undo = watch && guard(watch)
      if (undo) client.on('close', undo)
    }
    if (options.sentry !== false) {
      client.on('beforeSendEvent', (event: Event) => {
        const { type, value } = event.exception?.values?.at(-1) ?? {}
        addBreadcrumb(
          {
            category: event.type ? `sentry.${event.type}` : 'sentry.event',
            event_id: event.event_id,
            level: event.level,
            message: event.message ?? (type && value ? `${type}: ${value}` : (type ?? value)),
          },
          { event },
        )
      })
    }
  },
})

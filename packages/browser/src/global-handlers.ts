import { eventFromMessage } from './exception.ts'
import { guard, isObject } from './guard.ts'
import { listen } from './listen.ts'
import type { Client } from './client.ts'
import type { Integration } from './types.ts'

/** Chrome keeps ten frames unless told otherwise, which frameworks fill alone. */
const STACK_DEPTH = 50

/** Reports what nobody caught: `error` events of the window, and rejected promises. */
export const globalHandlersIntegration = (
  options: { onerror?: boolean; onunhandledrejection?: boolean } = {},
): Integration => ({
  name: 'GlobalHandlers',
  setup: (client) => {
    if (typeof addEventListener === 'undefined') return
    if (options.onerror !== false) listen<ErrorEvent>(client, ['error'], (event) => captureUncaught(client, event))
    if (options.onunhandledrejection !== false) {
      listen(client, ['unhandledrejection'], (event) => captureRejection(client, event))
    }
    const { stackTraceLimit } = Error
    client.on('close', () => {
      Error.stackTraceLimit = stackTraceLimit
    })
    // At the end: a page that freezes what belongs to the language refuses it.
    Error.stackTraceLimit = Math.max(stackTraceLimit ?? 0, STACK_DEPTH)
  },
})

const mechanism = (type: string) => ({ type: `auto.browser.global_handlers.${type}`, handled: false })

type Uncaught = Pick<ErrorEvent, 'error' | 'message' | 'filename' | 'lineno' | 'colno'>

export const captureUncaught = (client: Client, uncaught: Uncaught, event_id?: string): void => {
  const { error, message, filename, lineno, colno } = uncaught
  const hint = { mechanism: mechanism('onerror'), event_id }
  if (error !== undefined && error !== null) {
    // What is thrown without being an error has no stack, but the window knows the place.
    const place = { name: '', message: '', stack: filename ? `at ${filename}:${lineno}:${colno}` : '' }
    client.captureException(error, { ...hint, syntheticException: place })
    return
  }
  client.captureEvent(eventFromMessage(uncaught, hint.mechanism), { ...hint, originalException: message })
}

export const captureRejection = (client: Client, event: unknown, event_id?: string): void => {
  const said = isObject(event) ? event : {}
  // Libraries of promises say it in `detail`.
  const detail = guard(() => said['detail'])
  const thrown = guard(() => ('reason' in said ? said['reason'] : isObject(detail) ? detail['reason'] : event))
  client.captureException(thrown, { mechanism: mechanism('onunhandledrejection'), event_id })
}

import * as api from '../index.ts'
import { hintOf } from '../client.ts'
import { captureRejection, captureUncaught } from '../global-handlers.ts'
import { guard, isObject, warn } from '../guard.ts'
import type { BrowserOptions, Client, HintOrContext } from '../index.ts'
import { feedbackOptions, isFeedbackWanted } from './feedback-attributes.ts'
import { isReplayWanted, replayOptions, replayRates } from './replay-attributes.ts'
import type { Handover, Noted } from './protocol.ts'

export { api }

const optionsOf = (attributes: Handover['attributes']): BrowserOptions => {
  const { dsn, release, environment, dist, tunnel, sampleRate, tracesSampleRate, tracePropagationTargets, debug } =
    attributes
  const rate = Number(sampleRate)
  const traces = Number(tracesSampleRate)
  return {
    dsn,
    ...(release && { release }),
    ...(environment && { environment }),
    ...(dist && { dist }),
    ...(tunnel && { tunnel }),
    // An attribute that cannot be read must not silence the page.
    ...(sampleRate && rate >= 0 && { sampleRate: rate }),
    // And one that says nothing clear must not send more than was meant.
    ...(tracesSampleRate && traces >= 0 && { tracesSampleRate: traces }),
    ...(tracePropagationTargets && { tracePropagationTargets: tracePropagationTargets.trim().split(/\s+/) }),
    ...replayRates(attributes),
    ...(debug !== undefined && { debug: debug !== 'false' }),
  }
}

const replay = (client: Client | undefined, one: Noted): void => {
  if (one.kind === 'call') {
    const [first, second] = one.given
    const name: string = one.name
    if (name === 'captureException') {
      api.captureException(first, { ...hintOf(second as HintOrContext), event_id: one.id })
    } else if (name === 'captureMessage') {
      const level = typeof second === 'string' ? (second as api.SeverityLevel) : undefined
      const hint = level === undefined ? hintOf(second as HintOrContext) : {}
      client?.captureMessage(first, level, { ...hint, event_id: one.id })
    } else if (name === 'addBreadcrumb' && isObject(first)) api.addBreadcrumb({ timestamp: one.at, ...first })
    else {
      ;(api as unknown as Record<string, (...given: readonly unknown[]) => void>)[name]?.(...one.given)
    }
  } else if (client !== undefined) {
    if (one.kind === 'error') captureUncaught(client, one.event as globalThis.ErrorEvent)
    else captureRejection(client, one.event)
  }
}

const showFeedback = async (attributes: Handover['attributes'], client: Client, stub: object): Promise<void> => {
  const { feedbackIntegration } = await import('@firsthand/feedback')
  const feedback = feedbackIntegration(feedbackOptions(attributes))
  client.addIntegration(feedback)
  Object.assign(stub, { feedback })
}

/** Their own files, which only pages load that want them. */
const record = async (attributes: Handover['attributes'], client: Client, stub: object): Promise<void> => {
  const replay = await import('@firsthand/replay')
  client.addIntegration(replay.replayIntegration(replayOptions(attributes)))
  Object.assign(stub, replay)
}

const trace = async (client: Client, stub: object): Promise<void> => {
  const tracing = await import('../tracing/index.ts')
  client.addIntegration(tracing.browserTracingIntegration())
  Object.assign(stub, tracing)
}

const isTraced = (client: Client): boolean => {
  const { tracesSampleRate, tracesSampler } = client.getOptions()
  return (
    (tracesSampleRate !== undefined || tracesSampler !== undefined) && !client.getIntegrationByName('BrowserTracing')
  )
}

/** Takes over from `sdk.js`: options from the attributes, then the page's callbacks, then what has happened until now. */
export const start = ({ attributes, early, callbacks, stub }: Handover): void => {
  if (attributes['dsn']) api.init(optionsOf(attributes))
  Object.assign(stub, api, {
    onLoad: (callback: (firsthand: unknown) => void) => guard(() => callback(stub)),
  })
  for (const callback of callbacks) guard(() => callback(stub))
  const client = api.getClient()
  for (const one of early) {
    const undate = client?.on('beforeSendEvent', (event: api.Event) => Object.assign(event, { timestamp: one.at }))
    guard(() => replay(client, one))
    undate?.()
  }
  if (client !== undefined && isTraced(client)) {
    trace(client, stub).catch((error: unknown) => warn('The tracing did not load:', error))
  }
  if (client !== undefined && isReplayWanted(attributes)) {
    record(attributes, client, stub).catch((error: unknown) => warn('The replay did not load:', error))
  }
  if (client !== undefined && isFeedbackWanted(attributes)) {
    showFeedback(attributes, client, stub).catch((error: unknown) => warn('The feedback widget did not load:', error))
  }
}

import { type ClientLike, endpointsOf } from '../client.ts'
import type { FeedbackOptions, SendFeedbackParams } from '../options.ts'
import { texts } from '../text/en.ts'
import { newEventId, reportOf } from './envelope.ts'
import { eventOf } from './report-event.ts'
import { deliver, isSuccess, TIMEOUT_MS } from './transport.ts'

/** Sends a report without a form. Rejects with the text that the form would show. */
export const sendFeedback = async (
  client: ClientLike | undefined,
  options: FeedbackOptions,
  params: SendFeedbackParams,
): Promise<string> => {
  const say = { ...texts, ...options }
  if (params.message.trim() === '') throw new Error(say.errorEmptyMessageText)
  const urls = client ? endpointsOf(client, options.fallbackTunnel) : []
  if (client === undefined || urls.length === 0) throw new Error(say.errorNoClientText)
  const event = await eventOf(client, options, params, newEventId())
  if (event === null) throw new Error(say.errorDroppedText)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(say.errorTimeoutText)), TIMEOUT_MS)
  })
  const answer = await Promise.race([deliver(reportOf(client, urls, event)), late]).finally(() => clearTimeout(timer))
  if (isSuccess(answer)) return event.event_id
  throw new Error(
    answer.status === 0 ? say.errorNetworkText : answer.status === 403 ? say.errorForbiddenText : say.errorGenericText,
  )
}

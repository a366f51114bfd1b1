import { createHmac } from 'node:crypto'
import type { Message } from '../message.ts'
import type { Call, Sending } from './kind.ts'
import { eventOf, issueOf, lighter, testEvent } from './sentry-subject.ts'

/**
 * Webhooks as Sentry's integrations get them, for receivers that were written for those: what it is about stands in a
 * header, and the signature is over the body alone.
 */

type Json = Readonly<Record<string, unknown>>

interface Hook {
  readonly resource: 'event_alert' | 'metric_alert' | 'issue' | 'comment'
  readonly action: string
  readonly data: Json
}

/** Receivers have limits of their own; Sentry sends events whole. */
const BODY_BYTES = 256 * 1024

const metricAction = ({ stage, level }: Message): string => {
  if (stage === 'over') return 'resolved'
  return level === 'fatal' || level === 'error' ? 'critical' : 'warning'
}

/** What of a limit is crossed: Sentry's 0 is above, 1 below. */
const THRESHOLD_TYPES = { above: 0, below: 1 } as const

const textOf = ({ blocks, headline }: Message): string => {
  const text = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n')
  return text === '' ? headline : text
}

/** Rules about how much, and whatever else is about no issue: it has words and a link, and no ids that would be made up. */
const metricHook = (sending: Sending): Hook => {
  const { message, publicUrl, createdAt, organization } = sending
  const { about } = message
  const { measured, project, rule } = about ?? {}
  const action = metricAction(message)
  const thresholdType = THRESHOLD_TYPES[measured?.direction ?? 'above']
  const projects = project === undefined ? [] : [project.slug]
  const at = new Date(createdAt).toISOString()
  return {
    resource: 'metric_alert',
    action,
    data: {
      description_title: message.headline,
      description_text: textOf(message),
      web_url: `${publicUrl}${message.actions[0]?.path ?? '/'}`,
      metric_alert: {
        id: String(sending.incidentId ?? rule?.id ?? 0),
        identifier: String(sending.incidentId ?? rule?.id ?? 0),
        organization_id: String(sending.organization.id ?? 0),
        organization: organization.slug,
        status: message.stage === 'over' ? 2 : action === 'critical' ? 20 : 10,
        title: message.headline,
        date_created: at,
        date_started: at,
        date_detected: at,
        date_closed: message.stage === 'over' ? at : null,
        alert_rule: {
          id: String(rule?.id ?? 0),
          name: rule?.name ?? message.headline,
          organization_id: String(sending.organization.id ?? 0),
          query: measured?.query ?? '',
          dataset: measured?.dataset ?? 'events',
          aggregate: measured?.aggregate ?? 'count()',
          time_window: measured?.windowMinutes ?? null,
          threshold_type: thresholdType,
          resolve_threshold: measured?.recoversAt ?? null,
          projects,
          triggers: [{ label: action, threshold_type: thresholdType, alert_threshold: measured?.limit ?? null }],
        },
        value: measured?.value ?? null,
        projects,
      },
    },
  }
}

const OVER: Readonly<Record<string, string>> = { ignored: 'archived', resolved: 'resolved', unresolved: 'unresolved' }

const hookOf = (sending: Sending): Hook => {
  const { message, createdAt } = sending
  const { about, kind, stage } = message
  const ruleName = about?.rule?.name ?? 'Firsthand'
  const alert = { triggered_rule: ruleName, issue_alert: { title: ruleName, settings: [] } }
  if (kind === 'test' && about?.issue === undefined) {
    return { resource: 'event_alert', action: 'triggered', data: { event: testEvent(sending), ...alert } }
  }
  const issue = issueOf(sending)
  if (issue === null || about?.measured !== undefined) return metricHook(sending)
  if (kind === 'mention') {
    const timestamp = new Date(createdAt).toISOString()
    const project = about?.project?.slug ?? ''
    return {
      resource: 'comment',
      action: 'created',
      data: { comment: textOf(message), issue_id: issue['id'], project_slug: project, timestamp },
    }
  }
  if (kind === 'assignment') return { resource: 'issue', action: 'assigned', data: { issue } }
  if (stage === 'over' || kind === 'over') {
    // What was the case when it was said, whatever became of it since.
    const status = String(about?.issue?.status ?? issue['status'])
    return { resource: 'issue', action: OVER[status] ?? 'resolved', data: { issue } }
  }
  return {
    resource: 'event_alert',
    action: 'triggered',
    data: { event: eventOf(sending), ...alert, issue },
  }
}

/** Hex, over the body alone, with what is behind the prefix of the secret as it is written. */
export const sentrySignature = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('hex')

const bodyOf = (sending: Sending, { action, data }: Hook): string => {
  const written = (shown: Json): string =>
    JSON.stringify({
      action,
      // Receivers tell by it that no person did it.
      actor: { type: 'application', id: 'sentry', name: 'Sentry' },
      data: shown,
      installation: { uuid: uuidOf(sending.organization.slug) },
    })
  const event = data['event']
  if (typeof event !== 'object' || event === null) return written(data)
  for (const light of lighter(event as Json)) {
    const body = written({ ...data, event: light })
    if (Buffer.byteLength(body) <= BODY_BYTES) return body
  }
  return written({ ...data, event: eventOf({ ...sending, stored: undefined }) })
}

export const sentryCall = (url: string, signing: readonly string[], sending: Sending): Call => {
  const hook = hookOf(sending)
  const body = bodyOf(sending, hook)
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'request-id': sending.id,
      'sentry-hook-resource': hook.resource,
      'sentry-hook-timestamp': String(Math.floor(sending.now / 1000)),
      // Its receivers know one signature: the newest secret's.
      'sentry-hook-signature': sentrySignature(signing[0] ?? '', body),
    },
    body,
  }
}

/** Always the same for an organisation, in the form that receivers expect. */
const uuidOf = (slug: string): string => {
  const hex = createHmac('sha256', 'installation').update(slug).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

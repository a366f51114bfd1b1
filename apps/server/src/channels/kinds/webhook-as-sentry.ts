import { createHmac } from 'node:crypto'
import type { Message } from '../message.ts'
import type { Call, Sending } from './kind.ts'

/**
 * Webhooks as Sentry's internal integrations send them, for receivers that were written for those: what it is about stands
 * in a header, and the signature is over the body alone.
 */

interface Hook {
  readonly resource: 'event_alert' | 'metric_alert' | 'issue' | 'comment'
  readonly action: string
  readonly data: Readonly<Record<string, unknown>>
}

const metricAction = ({ stage, level }: Message): string => {
  if (stage === 'over') return 'resolved'
  return level === 'fatal' || level === 'error' ? 'critical' : 'warning'
}

const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())

const issueOf = ({ message, publicUrl }: Sending): Readonly<Record<string, unknown>> | null => {
  const { issue, project } = message.about ?? {}
  if (issue === undefined) return null
  const link = `${publicUrl}${message.actions[0]?.path ?? '/'}`
  return {
    id: String(issue.id),
    shortId: issue.shortId,
    title: issue.title,
    culprit: issue.culprit ?? '',
    level: issue.level ?? message.level,
    status: issue.status ?? 'unresolved',
    platform: issue.platform ?? null,
    count: String(issue.count ?? 0),
    userCount: issue.userCount ?? 0,
    firstSeen: iso(issue.firstSeen),
    lastSeen: iso(issue.lastSeen),
    project:
      project === undefined ? null : { id: String(project.id), slug: project.slug, name: project.name, platform: null },
    web_url: link,
    permalink: link,
  }
}

const hookOf = (sending: Sending): Hook => {
  const { message, publicUrl } = sending
  const { about } = message
  const link = `${publicUrl}${message.actions[0]?.path ?? '/'}`
  const text = message.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n')
  if (about?.measured !== undefined) {
    const { value, limit, query, window } = about.measured
    return {
      resource: 'metric_alert',
      action: metricAction(message),
      data: {
        description_text: text === '' ? message.headline : text,
        description_title: message.headline,
        web_url: link,
        metric_alert: {
          id: sending.thread,
          status: message.stage === 'over' ? 2 : 20,
          title: message.headline,
          alert_rule: {
            id: String(about.rule?.id ?? 0),
            name: about.rule?.name ?? message.headline,
            query,
            time_window: window,
            triggers: [{ label: metricAction(message), alert_threshold: limit }],
          },
          value,
          projects: about.project === undefined ? [] : [about.project.slug],
        },
      },
    }
  }
  const issue = issueOf(sending)
  if (message.kind === 'mention' && issue !== null) {
    return {
      resource: 'comment',
      action: 'created',
      data: {
        comment: text,
        issue_id: issue['id'],
        project_slug: about?.project?.slug ?? '',
        timestamp: iso(sending.createdAt),
      },
    }
  }
  if (message.kind === 'assignment' && issue !== null) return { resource: 'issue', action: 'assigned', data: { issue } }
  if (message.kind === 'over' && issue !== null) {
    return { resource: 'issue', action: issue['status'] === 'ignored' ? 'archived' : 'resolved', data: { issue } }
  }
  return {
    resource: 'event_alert',
    action: 'triggered',
    data: {
      event: {
        ...about?.event,
        title: about?.issue?.title ?? message.headline,
        level: message.level,
        issue_id: issue?.['id'] ?? null,
        issue_url: link,
        web_url: link,
      },
      triggered_rule: about?.rule?.name ?? message.headline,
      ...(about?.rule === undefined ? {} : { issue_alert: { title: about.rule.name, settings: [] } }),
      ...(issue === null ? {} : { issue }),
    },
  }
}

/** Hex, over the body alone, with what is behind the prefix of the secret as it is written. */
export const sentrySignature = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('hex')

export const sentryCall = (url: string, signing: readonly string[], sending: Sending): Call => {
  const { resource, action, data } = hookOf(sending)
  const body = JSON.stringify({
    action,
    // Receivers tell by it that no person did it.
    actor: { type: 'application', id: 'sentry', name: 'Sentry' },
    data,
    installation: { uuid: uuidOf(sending.organization.slug) },
  })
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'request-id': sending.id,
      'sentry-hook-resource': resource,
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

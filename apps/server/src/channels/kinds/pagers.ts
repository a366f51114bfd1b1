import type { Message } from '../message.ts'
import { cut, inUnits } from '../text.ts'
import type { ChannelKind, Sending } from './kind.ts'
import { footOf, linkTo } from './writing.ts'

/**
 * Those who wake people: what is over is closed under the same key under which it was opened. What is said once, as "And 8
 * more", opens nothing that nobody would close; a test does, at the lowest urgency, since it is tried whether one is woken.
 */

export const PAGERDUTY_ORIGINS = { us: 'https://events.pagerduty.com', eu: 'https://events.eu.pagerduty.com' } as const
export const OPSGENIE_ORIGINS = { us: 'https://api.opsgenie.com', eu: 'https://api.eu.opsgenie.com' } as const

const SUMMARY = 1024
const DETAIL = 1000
const DETAILS = 30
const ALERT_MESSAGE = 130
const ALERT_DESCRIPTION = 15_000
/** Names and values together. */
const ALERT_DETAILS = 8000
const ALERT_NOTE = 1000

const SEVERITIES: Readonly<Record<Message['level'], string>> = {
  fatal: 'critical',
  error: 'error',
  warning: 'warning',
  info: 'info',
  ok: 'info',
}
const PRIORITIES: Readonly<Record<Message['level'], string>> = {
  fatal: 'P1',
  error: 'P2',
  warning: 'P3',
  info: 'P4',
  ok: 'P5',
}

const some = (text: string, limit: number): string => cut(text, limit, inUnits)

const rowsOf = (message: Message): readonly (readonly [string, string])[] =>
  message.blocks
    .flatMap((block) => (block.kind === 'facts' ? block.rows : []))
    .slice(0, DETAILS)
    .map(({ name, value }) => [some(name, 100), some(value, DETAIL)] as const)

const textOf = (message: Message): string =>
  message.blocks
    .flatMap((block) => {
      switch (block.kind) {
        case 'text':
        case 'code':
          return [block.text]
        case 'quote':
          return [`“${block.text}” ${block.by}`]
        case 'list':
          return [block.items.map(({ text }) => `• ${text}`).join('\n')]
        case 'facts':
          return []
      }
    })
    .join('\n\n')

/** Of it nobody will say that it is over. */
const isNote = ({ stage, kind }: Message): boolean => stage === 'single' && kind !== 'test'

const detailsOfEvent = (sending: Sending): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(rowsOf(sending.message)),
  text: some(textOf(sending.message), 4000),
  reason: footOf(sending),
})

const linksOf = (sending: Sending): readonly { readonly href: string; readonly text: string }[] =>
  sending.message.actions.map(({ label, path }) => ({ href: linkTo(sending, path), text: label }))

/** It stands beside the incidents of the service and opens none. */
const pagerDutyNote = (routingKey: string, sending: Sending): Readonly<Record<string, unknown>> => {
  const { message, organization, createdAt } = sending
  return {
    routing_key: routingKey,
    payload: {
      summary: some(message.headline, SUMMARY) || message.kind,
      source: organization.slug,
      timestamp: new Date(createdAt).toISOString(),
      custom_details: detailsOfEvent(sending),
    },
    links: linksOf(sending),
  }
}

const pagerDutyEvent = (routingKey: string, sending: Sending): Readonly<Record<string, unknown>> => {
  const { message, thread, publicUrl, organization, createdAt } = sending
  return {
    routing_key: routingKey,
    event_action: message.stage === 'over' ? 'resolve' : 'trigger',
    dedup_key: thread,
    payload: {
      summary: some(message.headline, SUMMARY) || message.kind,
      source: organization.slug,
      severity: message.stage === 'single' ? SEVERITIES.info : SEVERITIES[message.level],
      timestamp: new Date(createdAt).toISOString(),
      class: message.kind,
      custom_details: detailsOfEvent(sending),
    },
    links: linksOf(sending),
    client: 'Firsthand',
    client_url: publicUrl,
  }
}

export const pagerduty: ChannelKind<'pagerduty'> = {
  pages: true,
  spacingMs: 0,
  address: ({ settings }) => PAGERDUTY_ORIGINS[settings.region],
  call: ({ settings, secrets }, sending) => {
    const isBeside = isNote(sending.message)
    return {
      method: 'POST',
      url: `${PAGERDUTY_ORIGINS[settings.region]}/v2/${isBeside ? 'change/enqueue' : 'enqueue'}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify((isBeside ? pagerDutyNote : pagerDutyEvent)(secrets.routingKey, sending)),
    }
  },
}

const detailsOf = (message: Message): Readonly<Record<string, string>> => {
  const details: Record<string, string> = {}
  let left = ALERT_DETAILS
  for (const [name, value] of rowsOf(message)) {
    left -= name.length + value.length
    if (left < 0) break
    details[name] = value
  }
  return details
}

export const opsgenie: ChannelKind<'opsgenie'> = {
  pages: true,
  spacingMs: 0,
  address: ({ settings }) => OPSGENIE_ORIGINS[settings.region],
  call: ({ settings, secrets }, sending) => {
    const { message, thread } = sending
    const alerts = `${OPSGENIE_ORIGINS[settings.region]}/v2/alerts`
    const isOver = message.stage === 'over'
    const links = message.actions.map(({ label, path }) => `${label}: ${linkTo(sending, path)}`).join('\n')
    const end = `\n\n${links}\n${footOf(sending)}`
    return {
      method: 'POST',
      url: isOver ? `${alerts}/${thread}/close?identifierType=alias` : alerts,
      headers: { 'content-type': 'application/json', authorization: `GenieKey ${secrets.apiKey}` },
      body: JSON.stringify(
        isOver
          ? { source: 'Firsthand', note: some(message.headline, ALERT_NOTE) }
          : {
              message: some(message.headline, ALERT_MESSAGE) || message.kind,
              alias: thread,
              description: `${some(textOf(message), ALERT_DESCRIPTION - end.length)}${end}`,
              details: detailsOf(message),
              tags: ['firsthand', message.kind, ...(isNote(message) ? ['note'] : [])],
              entity: sending.organization.slug,
              source: 'Firsthand',
              // There is nothing below it there; it is the one that wakes nobody.
              priority: message.stage === 'single' ? PRIORITIES.ok : PRIORITIES[message.level],
            },
      ),
    }
  },
}

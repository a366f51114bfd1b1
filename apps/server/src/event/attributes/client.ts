import { isObject } from '@firsthand/protocol'
import type { DigestItem } from '../../ingest/index.ts'
import type { NormalisedEvent } from '../event.ts'
import { readUserAgent } from '../normalise/user-agent.ts'
import type { Attributes, AttributeValue } from './attributes.ts'

/** Browser, system and device by the User-Agent, where the SDK does not say. */
export const addClient = (attributes: Attributes): void => {
  const { 'user_agent.original': userAgent, 'browser.name': known } = attributes.values
  if (typeof userAgent !== 'string' || known !== undefined) return
  const { browser, os, device } = readUserAgent(userAgent)
  attributes.add('browser.name', browser?.['name'])
  attributes.add('browser.version', browser?.['version'])
  attributes.add('os.name', os?.['name'])
  attributes.add('device.family', device?.['family'])
}

/** What may be known of the sender of a container besides what it says: only with its leave. */
export interface KnownSender {
  readonly address: string | null
  readonly userAgent: string | null
}

/** @param settings `ingest_settings` of the container; SDKs before 10.51 send none */
export const knownSender = (settings: unknown, { sender }: DigestItem): KnownSender => {
  const allows = (key: string): boolean => isObject(settings) && settings[key] === 'auto'
  return {
    address: allows('infer_ip') ? sender.clientAddress : null,
    userAgent: allows('infer_user_agent') ? sender.userAgent : null,
  }
}

export const addSender = (attributes: Attributes, { address, userAgent }: KnownSender): void => {
  if (address !== null) attributes.add('user.ip_address', address)
  if (userAgent !== null) attributes.add('user_agent.original', userAgent)
}

/**
 * What the filters of events look at, as things of a browser or of a server say it. All things of a container come from
 * one sender.
 */
export const surroundingsOf = (
  item: DigestItem,
  things: readonly { readonly attributes: Readonly<Record<string, AttributeValue>> }[],
): NormalisedEvent => {
  const values = (name: string): string | undefined => {
    for (const { attributes } of things) {
      const value = attributes[name]
      if (typeof value === 'string') return value
    }
    return undefined
  }
  const url = values('url.full')
  const userAgent = values('user_agent.original')
  const release = values('sentry.release')
  const browser = { name: values('browser.name') ?? '', version: values('browser.version') ?? '' }
  return {
    event_id: '',
    type: 'default',
    timestamp: 0,
    received: item.receivedAt / 1000,
    platform: values('sentry.sdk.name')?.includes('.browser') === true ? 'javascript' : 'other',
    level: 'info',
    logger: '',
    contexts: browser.name === '' ? {} : { browser },
    tags: [],
    errors: [],
    ...(release === undefined ? {} : { release }),
    request: {
      ...(url === undefined ? {} : { url }),
      ...(userAgent === undefined ? {} : { headers: [['User-Agent', userAgent]] }),
    },
  }
}

import { parse } from 'bowser'
import { EVENT_LIMITS } from '../limits.ts'
import type { JsonObject, NormalisedEvent } from '../event.ts'
import { memoise } from '../../lib/memoise.ts'
import { cut } from './text.ts'

/** What a User-Agent header says, as contexts in the names that Sentry uses. */
export interface Client {
  readonly browser?: JsonObject
  readonly os?: JsonObject
  readonly device?: JsonObject
}

/** bowser's name → Sentry's name. Names that are not here stay. */
const BROWSER_NAMES: ReadonlyMap<string, string> = new Map([
  ['Microsoft Edge', 'Edge'],
  ['Internet Explorer', 'IE'],
  ['Samsung Internet for Android', 'Samsung Internet'],
  ['Android Browser', 'Android'],
])

/** Browsers whose small-screen edition has a name of its own. */
const MOBILE_NAMES: ReadonlyMap<string, string> = new Map([
  ['Safari', 'Mobile Safari'],
  ['Chrome', 'Chrome Mobile'],
  ['Firefox', 'Firefox Mobile'],
  ['Edge', 'Edge Mobile'],
  ['Opera', 'Opera Mobile'],
])

/** Parses a User-Agent. Some 30 µs when it was not seen lately, else as good as nothing. */
export const readUserAgent = memoise(
  (userAgent: string): Client => {
    const parsed = parse(userAgent === '' ? '-' : userAgent)
    const isHandheld = parsed.platform.type === 'mobile' || parsed.platform.type === 'tablet'
    const browser = browserContext(parsed.browser, userAgent, isHandheld, parsed.os.name)
    const os = osContext(parsed.os)
    const device = deviceContext(parsed.platform, userAgent, parsed.os.name)
    return {
      ...(browser === undefined ? {} : { browser }),
      ...(os === undefined ? {} : { os }),
      ...(device === undefined ? {} : { device }),
    }
  },
  EVENT_LIMITS.MEMO_ENTRIES,
  EVENT_LIMITS.USER_AGENT_CHARS,
)

type Parsed = ReturnType<typeof parse>

const browserContext = (
  browser: Parsed['browser'],
  userAgent: string,
  isHandheld: boolean,
  osName: string | undefined,
): JsonObject | undefined => {
  if (browser.name === undefined || browser.name === '') return undefined
  let name = BROWSER_NAMES.get(browser.name) ?? browser.name
  if (isHandheld) name = MOBILE_NAMES.get(name) ?? name
  if (osName === 'iOS' && (name === 'Chrome Mobile' || name === 'Firefox Mobile')) {
    name = name === 'Chrome Mobile' ? 'Chrome Mobile iOS' : 'Firefox iOS'
  }
  if (userAgent.includes('HeadlessChrome/')) name = 'HeadlessChrome'
  return { name, ...versionOf(browser.version), type: 'browser' }
}

/** At most three numbers: what comes after them only tells builds apart. */
const versionOf = (version: string | undefined): { version?: string } => {
  const short = version?.split('.', 3).join('.')
  return short === undefined || short === '' ? {} : { version: short }
}

const osContext = (os: Parsed['os']): JsonObject | undefined => {
  if (os.name === undefined || os.name === '') return undefined
  // Windows is known by its name (10, 8.1), not by its kernel (NT 10.0).
  return { name: os.name, ...versionOf(os.name === 'Windows' ? os.versionName : os.version), type: 'os' }
}

const deviceContext = (
  platform: Parsed['platform'],
  userAgent: string,
  osName: string | undefined,
): JsonObject | undefined => {
  if (platform.type === 'bot')
    return { family: 'Spider', brand: platform.vendor ?? 'Spider', model: 'Desktop', type: 'device' }
  if (osName === 'macOS') return { family: 'Mac', model: 'Mac', brand: 'Apple', type: 'device' }
  const model = platform.model ?? (osName === 'Android' ? androidModel(userAgent) : undefined)
  if (model === undefined || model === '') return undefined
  return { family: model, model, ...(platform.vendor === undefined ? {} : { brand: platform.vendor }), type: 'device' }
}

/** `(Linux; Android 14; Pixel 8 Build/…)` → `Pixel 8` */
const androidModel = (userAgent: string): string | undefined => {
  const part = /; Android [\d.]{1,12}; ([^;)]{1,64})/.exec(userAgent)?.[1]
  const model = part?.replace(/ Build\/.*$/, '').trim()
  return model === 'Mobile' || model === 'Tablet' ? undefined : model
}

/**
 * Fills the contexts browser, os and device from the User-Agent, where the SDK said nothing (protocol.md 4.7). An `os`
 * from the SDK of a server is the server's, so that the visitor's goes to `client_os`.
 */
export const addClientContexts = (event: NormalisedEvent, userAgent: string): void => {
  const client = readUserAgent(cut(userAgent, EVENT_LIMITS.USER_AGENT_CHARS))
  const { contexts } = event
  // Copies: what is remembered must not change when an event is scrubbed.
  if (client.browser !== undefined && contexts['browser'] === undefined) contexts['browser'] = { ...client.browser }
  if (client.os !== undefined) {
    const name = contexts['os'] === undefined ? 'os' : 'client_os'
    if (name === 'os' || (contexts['client_os'] === undefined && event.platform !== 'javascript')) {
      contexts[name] = { ...client.os }
    }
  }
  if (client.device !== undefined && contexts['device'] === undefined) contexts['device'] = { ...client.device }
}

/** The User-Agent of the request in which the error happened. */
export const userAgentOf = (event: NormalisedEvent): string | undefined =>
  event.request?.headers?.find(([name]) => name === 'User-Agent')?.[1]

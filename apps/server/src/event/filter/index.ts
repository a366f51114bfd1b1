import type { ProjectSettings } from '../../accounts/settings.ts'
import type { Drop, Sender } from '../../ingest/road.ts'
import { Work } from '../../lib/work.ts'
import { LIMITS } from '../limits.ts'
import type { NormalisedEvent } from '../event.ts'
import { userAgentOf } from '../normalise/user-agent.ts'
import { normaliseAddress } from '../normalise/user.ts'
import { isInRanges } from './addresses.ts'
import { isBrowserExtension } from './browser-extensions.ts'
import { matchesAnyGlob } from './glob.ts'
import { isLegacyBrowser } from './legacy-browsers.ts'
import { isLocalhost } from './localhost.ts'
import { isWebCrawler } from './web-crawlers.ts'

/**
 * Inbound filters (protocol.md 3.1.10): what a project does not want to see. The first that matches decides; null lets
 * the event through. So does a `work` that does not suffice for the patterns.
 */
export const filter = (
  event: NormalisedEvent,
  sender: Sender,
  settings: ProjectSettings,
  work: Work = new Work(LIMITS.RULE_STEPS_PER_EVENT),
): Drop | null => {
  const { filters } = settings
  const address = normaliseAddress(sender.clientAddress ?? '')
  if (address !== undefined && isInRanges(filters.ipAddresses, address)) {
    return filtered('ip_address', `The sender's address is on the project's list.`)
  }
  if (filters.releases.length > 0 && matchesAnyGlob(filters.releases, event.release, work)) {
    return filtered('release', `The release is on the project's list.`)
  }
  if (filters.localhost && isLocalhost(event)) {
    return filtered('localhost', `The event comes from a developer's own machine.`)
  }
  const userAgent = userAgentOf(event) ?? (event.platform === 'javascript' ? sender.userAgent : null)
  if (filters.webCrawlers && userAgent !== null && isWebCrawler(userAgent)) {
    return filtered('web_crawler', 'The browser is a known web crawler.')
  }
  if (filters.legacyBrowsers && isLegacyBrowser(event)) {
    return filtered('legacy_browser', 'The browser is too old to matter.')
  }
  if (filters.browserExtensions && isBrowserExtension(event)) {
    return filtered('browser_extension', 'The error was caused by a browser extension.')
  }
  if (
    filters.errorMessages.length > 0 &&
    messagesOf(event).some((text) => matchesAnyGlob(filters.errorMessages, text, work))
  ) {
    return filtered('error_message', `The message is on the project's list.`)
  }
  return null
}

const filtered = (reason: string, detail: string): Drop => ({ outcome: { kind: 'filtered', reason }, detail })

/** `type: value` of each exception, and the message. */
const messagesOf = (event: NormalisedEvent): readonly string[] => {
  const texts = (event.exception?.values ?? []).map(({ type, value }) =>
    [type, value].filter((part) => part !== undefined).join(': '),
  )
  if (event.logentry?.formatted !== undefined) texts.push(event.logentry.formatted)
  return texts
}

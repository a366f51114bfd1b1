import { isIP } from 'node:net'
import type { ProjectSettings } from '../../accounts/settings.ts'
import type { EventRequest, EventUser, JsonObject, NormalisedEvent, Pairs, Stacktrace } from '../event.ts'
import { userKey } from '../normalise/user.ts'
import { sayScrubbed } from '../remarks.ts'
import { replaceText, scrubBag, scrubText, scrubValue } from './bag.ts'
import { FILTERED, rulesFor, type Rules } from './rules.ts'

/**
 * Scrubbing: takes out of an event what should never have been sent, by the default rules of Sentry (protocol.md 4.4) and
 * the project's own words. It runs before anything is stored or grouped.
 *
 * The event is scrubbed in place and handed back. Fields whose keys are the sender's own are judged by key and by value;
 * messages for people only lose what matches a pattern; paths and functions of frames, ids, `sdk`, `debug_meta` and the
 * User-Agent stay as they are. This is the hottest code of the server: see `rules.ts` for how most strings get away with
 * one test.
 */
export const scrub = (event: NormalisedEvent, settings: ProjectSettings): NormalisedEvent => {
  const { scrubbing } = settings
  if (!scrubbing.enabled) return event
  const rules = rulesFor(scrubbing)
  scrubMessages(rules, event)
  scrubStacks(rules, event)
  scrubBreadcrumbs(rules, event)
  if (event.request !== undefined) scrubRequest(rules, event.request)
  if (event.user !== undefined) scrubUser(rules, event)
  scrubContexts(rules, event)
  if (event.extra !== undefined) scrubBag(rules, event.extra)
  for (const report of [event.csp, event.hpkp, event.expectct, event.expectstaple, event.nel]) {
    if (report !== undefined) scrubBag(rules, report)
  }
  scrubTags(rules, event)
  scrubNotes(rules, event)
  return event
}

const scrubMessages = (rules: Rules, event: NormalisedEvent): void => {
  const { logentry } = event
  if (logentry !== undefined) {
    replaceText(rules, logentry, 'message', rules.text)
    replaceText(rules, logentry, 'formatted', rules.text)
  }
  if (logentry?.params !== undefined) {
    logentry.params = scrubValue(rules, logentry.params, 'ordinary') as NonNullable<typeof logentry.params>
  }
  if (event.transaction?.includes('?') === true) replaceText(rules, event, 'transaction', rules.url)
}

const scrubStacks = (rules: Rules, event: NormalisedEvent): void => {
  for (const exception of event.exception?.values ?? []) {
    replaceText(rules, exception, 'value', rules.text)
    if (exception.mechanism?.data !== undefined) scrubBag(rules, exception.mechanism.data)
    scrubVariables(rules, exception.stacktrace)
    scrubVariables(rules, exception.raw_stacktrace)
  }
  for (const thread of event.threads?.values ?? []) scrubVariables(rules, thread.stacktrace)
  scrubVariables(rules, event.stacktrace)
}

const scrubVariables = (rules: Rules, stacktrace: Stacktrace | undefined): void => {
  if (stacktrace === undefined) return
  for (const frame of stacktrace.frames) if (frame.vars !== undefined) scrubBag(rules, frame.vars)
}

const scrubBreadcrumbs = (rules: Rules, event: NormalisedEvent): void => {
  for (const breadcrumb of event.breadcrumbs?.values ?? []) {
    replaceText(rules, breadcrumb, 'message', rules.value)
    if (breadcrumb.data !== undefined) scrubBag(rules, breadcrumb.data)
  }
}

const scrubRequest = (rules: Rules, request: EventRequest): void => {
  replaceText(rules, request, 'url', rules.url)
  replaceText(rules, request, 'fragment', rules.query)
  if (request.query_string !== undefined) request.query_string = scrubPairs(rules, request.query_string)
  if (request.cookies !== undefined) {
    request.cookies = request.cookies.map((pair) => {
      const [name, value] = pair
      if (rules.isSensitiveCookie(name)) return withValue(rules, pair, FILTERED)
      return rules.kindOf(name) === 'safe' ? pair : withValue(rules, pair, rules.value(value))
    })
  }
  if (request.headers !== undefined) request.headers = scrubPairs(rules, request.headers)
  if (request.data !== undefined) {
    request.data = scrubValue(rules, request.data, 'ordinary') as NonNullable<EventRequest['data']>
  }
  if (request.env !== undefined) {
    if (rules.removesAddresses) delete (request.env as { REMOTE_ADDR?: unknown }).REMOTE_ADDR
    scrubBag(rules, request.env)
  }
}

const scrubPairs = (rules: Rules, pairs: Pairs): Pairs =>
  pairs.map((pair) => {
    const [name, value] = pair
    if (value === '' || name === 'User-Agent') return pair
    return withValue(rules, pair, scrubText(rules, value, rules.kindOf(name)))
  })

const withValue = <Pair extends readonly [string, string]>(rules: Rules, pair: Pair, clean: string): Pair => {
  const [name, value] = pair
  if (clean === value) return pair
  const scrubbed = [name, clean] as readonly [string, string] as Pair
  sayScrubbed(scrubbed, 1, rules.ruleFor(name, value), value, clean)
  return scrubbed
}

/** The id is an id: "auth0|42" is no secret. The key by which users are counted follows from what is left. */
const scrubUser = (rules: Rules, event: NormalisedEvent): void => {
  const user: EventUser = event.user ?? {}
  for (const key of ['email', 'username', 'name'] as const) {
    const value = user[key]
    if (value !== undefined) replaceText(rules, user, key, (text) => scrubText(rules, text, rules.kindOf(key)))
  }
  if (rules.kindOf('id') === 'sensitive' && user.id !== undefined) user.id = FILTERED
  if (rules.removesAddresses) {
    delete user.ip_address
    if (user.id !== undefined && isIP(user.id) !== 0) delete user.id
  }
  if (user.data !== undefined) scrubBag(rules, user.data)
  const key = userKey(user)
  if (key === undefined) delete user.sentry_user
  else user.sentry_user = key
  if (Object.keys(user).length === 0) delete event.user
}

const scrubContexts = (rules: Rules, event: NormalisedEvent): void => {
  for (const name in event.contexts) {
    const context = event.contexts[name]
    if (context === undefined) continue
    const kind = rules.kindOf(name)
    if (kind === 'safe') continue
    if (kind === 'sensitive') {
      event.contexts[name] = withoutValues(context)
      sayScrubbed(event.contexts, name, rules.ruleFor(name, context), context, null)
    } else scrubBag(rules, context)
  }
}

/** A context whose name is sensitive keeps its keys, so that one sees what was sent. */
const withoutValues = (context: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(context).map(([key, value]) => [key, key === 'type' ? value : FILTERED]))

/** Tags that Firsthand derived follow from scrubbed fields, or hold nothing personal. */
const DERIVED_TAGS = new Set([
  'browser',
  'browser.name',
  'client_os',
  'client_os.name',
  'device',
  'device.family',
  'dist',
  'environment',
  'handled',
  'level',
  'logger',
  'mechanism',
  'os',
  'os.name',
  'os.rooted',
  'release',
  'runtime',
  'runtime.name',
  'server_name',
])

const scrubTags = (rules: Rules, event: NormalisedEvent): void => {
  const kept: [string, string][] = []
  for (const [key, value] of event.tags) {
    if (DERIVED_TAGS.has(key)) kept.push([key, value])
    else if (key === 'user') {
      const user = userKey(event.user)
      if (user !== undefined) kept.push([key, user])
    } else if (key === 'transaction') kept.push([key, value.includes('?') ? rules.url(value) : value])
    else kept.push(withValue(rules, [key, value], scrubText(rules, value, rules.kindOf(key))))
  }
  event.tags = kept
}

/** Tags of what is no event: each is the sender's own, also one of a name that events derive. */
export const scrubSentTags = (
  tags: readonly (readonly [string, string])[],
  { scrubbing }: ProjectSettings,
): readonly (readonly [string, string])[] => (scrubbing.enabled ? scrubPairs(rulesFor(scrubbing), tags) : tags)

/** Notes quote what was dropped, which may be what should not be kept. */
const scrubNotes = (rules: Rules, event: NormalisedEvent): void => {
  for (const note of event.errors) {
    if (typeof note.value !== 'string') continue
    const isSensitive = note.name?.split('.').some((key) => rules.kindOf(key) === 'sensitive') === true
    note.value = isSensitive ? FILTERED : rules.value(note.value)
  }
}

import { memoise } from '../../lib/memoise.ts'
import type { ProjectSettings } from '../../accounts/settings.ts'
import { createWordFinder, type WordFinder, withoutCase } from '../../lib/word-finder.ts'
import { EVENT_LIMITS } from '../limits.ts'
import {
  ASSIGNED_SECRET,
  BEARER,
  EMAIL,
  IP_ADDRESS,
  PATTERNS,
  SENSITIVE_KEY,
  SENSITIVE_VALUE,
  SESSION_COOKIE,
  SESSION_COOKIES,
  SHAPE_HINT,
  USER_PATH,
  WHOLE_WORD_CHARS,
  WORD_HINT,
} from './patterns.ts'

export const FILTERED = '[Filtered]'
const REMOVED_ADDRESS = '[ip]'

/**
 * What a key says about its value.
 *
 * `sensitive`: removed as a whole · `safe`: nobody touches it or what is below it · `url`, `query`, `cookies`: text with
 * parts that have names of their own · `ordinary`: the value decides.
 */
export type KeyKind = 'ordinary' | 'sensitive' | 'safe' | 'url' | 'query' | 'cookies'

/** The scrubbing settings of one project, ready for use. */
export interface Rules {
  readonly removesAddresses: boolean
  kindOf(key: string): KeyKind
  /** True when a cookie of this name carries a session or a secret. */
  isSensitiveCookie(name: string): boolean
  /** Values of the sender's own fields: removed as a whole when they contain a sensitive word. */
  value(text: string): string
  /** Numbers can be card numbers too. */
  isSensitiveNumber(value: number): boolean
  /** URLs: their names and words may be anything, only their sensitive parts go. */
  url(text: string): string
  /** `a=1&b=2` */
  query(text: string): string
  /** `a=1; b=2` */
  cookies(text: string): string
  /** Messages for people: only what matches a pattern is replaced, by the name of what it was. */
  text(text: string): string
  /** The rule by which a value under this key was changed, for `_meta`: `@password`, `@creditcard`, …; `strip-fields` is the project's own. */
  readonly ruleFor: (key: string, before: unknown) => string
}

type Scrubbing = ProjectSettings['scrubbing']

/** Settings objects live as long as the project's settings stay the same. */
const compiled = new WeakMap<Scrubbing, Rules>()

export const rulesFor = (settings: Scrubbing): Rules => {
  let rules = compiled.get(settings)
  if (rules === undefined) {
    rules = compile(settings)
    compiled.set(settings, rules)
  }
  return rules
}

/** Null for a project in which nothing is scrubbed. */
export const scrubbingRules = ({ scrubbing }: Pick<ProjectSettings, 'scrubbing'>): Rules | null =>
  scrubbing.enabled ? rulesFor(scrubbing) : null

/** Keys by which SDKs and people name URLs and queries, lower case. */
const KEY_KINDS: ReadonlyMap<string, KeyKind> = new Map([
  ...[
    'url',
    'uri',
    'to',
    'from',
    'href',
    'location',
    'origin',
    'referer',
    'referrer',
    'http.url',
    'http.target',
    'url.full',
    'url.path',
    'document_uri',
    'blocked_uri',
    'source_file',
  ].map((key) => [key, 'url'] as const),
  ...['query_string', 'http.query', 'url.query', 'http.fragment', 'url.fragment'].map((key) => [key, 'query'] as const),
  ...['cookie', 'cookies', 'set-cookie', 'http.request.header.cookie', 'http.response.header.set-cookie'].map(
    (key) => [key, 'cookies'] as const,
  ),
  // Ids, and counts whose names contain a sensitive word.
  ...[
    'trace_id',
    'span_id',
    'parent_span_id',
    'replay_id',
    'profile_id',
    'profiler_id',
    'event_id',
    '__span',
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.total_tokens',
  ].map((key) => [key, 'safe'] as const),
])

const classifyKeys = (
  { defaults, safeFields }: Scrubbing,
  own: ReturnType<typeof words>,
): ((key: string) => KeyKind) => {
  const safe = new Set(safeFields.map((field) => field.trim().toLowerCase()).filter((field) => field !== ''))
  return remember((key): KeyKind => {
    const name = key.toLowerCase()
    if (safe.has(name)) return 'safe'
    const known = KEY_KINDS.get(name)
    if (known === 'safe') return known
    if (own?.isIn(key) === true) return 'sensitive'
    if (!defaults) return 'ordinary'
    return known ?? (SENSITIVE_KEY.test(key) ? 'sensitive' : 'ordinary')
  })
}

const compile = (settings: Scrubbing): Rules => {
  const own = words(settings.sensitiveFields)
  const { defaults, ipAddresses: removesAddresses } = settings
  const kindOf = classifyKeys(settings, own)

  const isSensitiveCookie = (name: string): boolean => {
    const kind = kindOf(name)
    if (kind === 'safe') return false
    return kind === 'sensitive' || (defaults && (SESSION_COOKIES.has(name.toLowerCase()) || SESSION_COOKIE.test(name)))
  }

  const withoutAddresses = (text: string): string =>
    removesAddresses ? text.replace(IP_ADDRESS, REMOVED_ADDRESS) : text

  const value = (text: string): string => {
    if (own?.isIn(text) === true) return FILTERED
    if (!defaults) return withoutAddresses(text)
    const hasShape = SHAPE_HINT.test(text)
    if (hasShape && ABSOLUTE_URL.test(text)) return url(text)
    if ((WORD_HINT.test(text) || text.length <= WHOLE_WORD_CHARS) && SENSITIVE_VALUE.test(text)) return FILTERED
    return withoutAddresses(hasShape ? replacePatterns(text, 'inValue').replace(USER_PATH, FILTERED) : text)
  }

  const query = (text: string): string => {
    if (!text.includes('=')) return withoutAddresses(text)
    let clean = ''
    let copied = 0
    let start = SEPARATORS.includes(text.charAt(0)) ? 1 : 0
    while (start <= text.length) {
      const end = endOfParameter(text, start)
      const equals = text.indexOf('=', start)
      if (equals >= 0 && equals < end) {
        const parameter = text.slice(equals + 1, end)
        const replacement = parameterValue(text.slice(start, equals), parameter)
        if (replacement !== parameter) {
          clean += text.slice(copied, equals + 1) + replacement
          copied = end
        }
      } else if (equals < 0) break
      start = end + 1
    }
    return copied === 0 ? text : clean + text.slice(copied)
  }

  const parameterValue = (name: string, parameter: string): string => {
    if (parameter === '') return parameter
    const kind = kindOf(decoded(name))
    if (kind === 'safe') return parameter
    if (kind === 'sensitive') return FILTERED
    // A URL inside a query is encoded: what it hides is only seen decoded.
    const plain = decoded(parameter)
    const clean = kind === 'url' || ABSOLUTE_URL.test(plain) ? url(plain) : value(plain)
    return clean === plain ? parameter : clean
  }

  const url = (text: string): string => {
    if (!defaults && own === undefined) return withoutAddresses(text)
    const mark = text.search(/[?#]/)
    const path = mark < 0 ? text : text.slice(0, mark)
    const clean = defaults && HINT_IN_URL.test(path) ? replacePatterns(path, 'inValue') : path
    return withoutAddresses(clean) + (mark < 0 ? '' : query(text.slice(mark)))
  }

  const cookies = (text: string): string =>
    text
      .split(';')
      .map((part) => {
        const equals = part.indexOf('=')
        if (equals < 0) return defaults && part.trim() !== '' && part.trim() === text.trim() ? FILTERED : part
        const name = part.slice(0, equals)
        return `${name}=${isSensitiveCookie(name.trim()) ? FILTERED : value(part.slice(equals + 1))}`
      })
      .join(';')

  const text = (message: string): string => {
    if (!defaults) return withoutAddresses(message)
    let clean = message
    if (SHAPE_HINT.test(clean)) clean = replacePatterns(clean, 'inText').replace(USER_PATH, '[user]')
    if (WORD_HINT.test(clean)) clean = clean.replace(BEARER, FILTERED).replace(ASSIGNED_SECRET, `$1${FILTERED}`)
    if (clean.includes('@')) clean = clean.replace(EMAIL, '[email]')
    return withoutAddresses(clean)
  }

  const ruleFor = createRuleNames(own, kindOf, removesAddresses)

  const isSensitiveNumber = (number: number): boolean =>
    defaults &&
    number > SHORTEST_CARD_NUMBER &&
    Number.isSafeInteger(number) &&
    value(String(number)) !== String(number)

  return { removesAddresses, kindOf, isSensitiveCookie, value, isSensitiveNumber, url, query, cookies, text, ruleFor }
}

const BEARER_OR_SECRET = [BEARER, ASSIGNED_SECRET]

/** Which rule it was is only asked when a value was changed, so that no other value pays for it. */
const createRuleNames =
  (own: WordFinder | undefined, kindOf: (key: string) => KeyKind, removesAddresses: boolean): Rules['ruleFor'] =>
  (key, before) => {
    const value = typeof before === 'number' ? String(before) : before
    if (own !== undefined && (own.isIn(key) || (typeof value === 'string' && own.isIn(value)))) return 'strip-fields'
    if (kindOf(key) === 'sensitive' || typeof value !== 'string') return '@password'
    const shape = PATTERNS.find((rule) => rule.needs.test(value) && value.replace(rule.pattern, '') !== value)
    if (shape !== undefined) return shape.rule
    if (value.replace(USER_PATH, '') !== value) return '@userpath'
    if (SENSITIVE_VALUE.test(value) || BEARER_OR_SECRET.some((one) => value.replace(one, '') !== value))
      return '@password'
    if (value.replace(EMAIL, '') !== value) return '@email'
    return removesAddresses && value.replace(IP_ADDRESS, '') !== value ? '@ip' : '@password'
  }

/** Every URL has the shape of one; this is what else may be in its path. */
const HINT_IN_URL = /@|\d[ -]?\d{3}[ -]?\d|[A-Z]{2}\d\d/
const SHORTEST_CARD_NUMBER = 1e12
const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]{0,30}:\/\/\S*$/i
const SEPARATORS = '?&#;'

const endOfParameter = (text: string, start: number): number => {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index)
    // & # ;
    if (code === 0x26 || code === 0x23 || code === 0x3b) return index
  }
  return text.length
}

const replacePatterns = (text: string, replacement: 'inText' | 'inValue'): string => {
  let clean = text
  for (const rule of PATTERNS) {
    if (!rule.needs.test(clean)) continue
    clean = clean.replace(rule.pattern, rule[replacement])
  }
  return clean
}

const decoded = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray per cent sign: the rules look at the text as it came.
    return text
  }
}

/** The project's own words, as they are: people write names here, not expressions. */
const words = (fields: readonly string[]): WordFinder | undefined => {
  const own = fields.map((field) => field.trim()).filter((field) => field !== '')
  return own.length === 0 ? undefined : createWordFinder(own, withoutCase)
}

/** Keys repeat from event to event; the judgement about one is worth keeping. Long keys are judged each time. */
const remember = (judge: (key: string) => KeyKind): ((key: string) => KeyKind) =>
  memoise(judge, EVENT_LIMITS.MEMO_ENTRIES, EVENT_LIMITS.WORD_CHARS)

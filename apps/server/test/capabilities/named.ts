import { CAPABILITIES } from '../../src/capabilities.ts'

/** Finds what capabilities and their items are called in sources that go through the list of them and are to know none. */

/** Whom an item is from, and how it ended: on these two the road stands, and imports their types. */
const GROUND: ReadonlySet<string> = new Set(['accounts', 'receipts'])

export const NAMED = CAPABILITIES.filter(({ name }) => !GROUND.has(name))

/** A word that may be used, because it is about something else or about the wire itself. */
interface Ordinary {
  readonly words: readonly string[]
  readonly files: RegExp
  /** What of a line is not looked at; all of these words without it, unless they are a text of their own. */
  readonly as?: RegExp
  /** They may be a text of their own as well. */
  readonly quoted?: true
  readonly why: string
}

export const ORDINARY: readonly Ordinary[] = [
  { words: ['release'], files: /./, as: /\brelease(?:\(\)|d\b)/g, why: 'to let go of what was held; to publish' },
  {
    words: ['release'],
    files: /^ingest\/door\/byte-budget\.ts/,
    as: /`release`/g,
    quoted: true,
    why: 'to give back what was taken',
  },
  {
    words: ['release'],
    files: /^storage\//,
    as: /\b\w*[rR]eleas\w*/g,
    quoted: true,
    why: 'to let go: of blobs that nothing names, of connections and locks',
  },
  {
    words: ['release'],
    files: /^ingest\/door\/(?:read-reports|spike-protection)\.ts/,
    as: /sentry_release(?:: release)?|const release =|\brelease === (?:null|'')|\bin a new release\b/g,
    why: 'which version a report is about: a field of the protocol',
  },
  {
    words: ['release'],
    files: /^search\/(?:attribute-names|dataset-attributes)\.ts/,
    as: /sentry\.(?:dsc\.)?release\b.*|named\(word\('release'\).*/g,
    quoted: true,
    why: 'what events call the version of their software',
  },
  { words: ['event'], files: /./, why: 'what SDKs report; every envelope may have the id of one' },
  { words: ['transaction'], files: /./, why: 'that of a store' },
  { words: ['people'], files: /./, as: /^\s*(\/?\*|\/\/).*/, why: 'in comments: those who use the program' },
  { words: ['people'], files: /^ingest\/door\//, as: /tellsPeople/g, why: 'those who see an answer themselves' },
  { words: ['people'], files: /^storage\//, as: /what people (?:do|did)\b/g, why: 'those who use the program' },
  { words: ['attachment'], files: /^ingest\//, why: 'a file of any item: it may be large, and shares an end' },
  {
    words: ['event', 'attachment', 'form data', 'security', 'raw security', 'nel', 'check in'],
    files: /^ingest\/(door\/|limits\.ts)/,
    quoted: true,
    why: 'addresses and rate limits of the protocol, whether or not anybody shows what comes there',
  },
  {
    words: ['monitor'],
    files: /^ingest\/door\/(read-check-in|route)\.ts/,
    as: /monitor_slug|monitor_config|monitor slug/gi,
    why: 'check-ins by URL name what they are of (protocol.md 2.6)',
  },
  { words: ['log'], files: /^ingest\/door\/read-check-in\.ts/, quoted: true, why: 'what a run wrote' },
  {
    words: ['session'],
    files: /^ingest\/(door\/(limit|byte-quotas)|limits)\.ts/,
    quoted: true,
    why: 'a category of the protocol that is hardly ever held back',
  },
  { words: ['session'], files: /^storage\/telemetry\/engine\//, why: 'a connection inside the engine' },
  { words: ['notice'], files: /./, as: /\bnoticed\b/g, why: 'to see something' },
  { words: ['log'], files: /./, as: /^\s*(\/?\*|\/\/).*/, why: 'in comments: what the program writes of itself' },
  {
    words: ['log'],
    files:
      /^(storage\/(telemetry\/telemetry|blobs\/packing|ledger\/ledger-faults)|ingest\/door\/answer|compose[\w-]*|digest-worker)\.ts/,
    as: /server(’s)? log|The log of the server|ClickHouseLogLevel|\blog: \{ level|logLevel|writeLog|logStart/g,
    why: 'what the program writes of itself',
  },
  {
    words: ['log'],
    files: /^ingest\/(limits|digest\/backfill)\.ts/,
    as: /BACKFILL_LOG_MS/g,
    why: 'how often it writes',
  },
  { words: ['log'], files: /^ingest\/door\/inflate\.ts/, as: /WINDOW_LOG|windowLogMax/g, why: 'a logarithm' },
  { words: ['trace'], files: /^ingest\/door\/answer\.ts/, as: /sentry-trace|traceparent/g, why: 'headers of requests' },
  { words: ['trace'], files: /^ingest\/door\/draft\.ts/, as: /\btrace: null/g, why: 'a field of an envelope’s header' },
  { words: ['uptime'], files: /^storage\//, as: /\buptime\b/g, why: 'how long a process has been running' },
  {
    words: ['trace'],
    files: /^storage\/telemetry\/engine\/engine-config\.ts/,
    as: /\bby_trace_id\b/g,
    why: 'what any table calls its index of such ids',
  },
  {
    words: ['similar'],
    files: /^storage\/telemetry\/engine\/engine-config\.ts/,
    as: /\bvector_similarity_index_cache_size\b/g,
    why: 'a cache of the engine',
  },
  {
    words: ['trace', 'span'],
    files: /^search\/dataset-attributes\.ts/,
    quoted: true,
    why: 'ids that a row of any table may have',
  },
  {
    words: ['finding'],
    files: /^(storage\/|compose[\w-]*\.ts|capability\.ts)/,
    as: /(?<!\.\/)finding|\.\/findings-file/gi,
    why: 'what is wrong with the running server (lib/findings.ts)',
  },
  {
    words: ['log', 'trace', 'metric', 'span', 'profile', 'replay', 'nel', 'session', 'channel'],
    files: /^search\/attribute-names\.ts/,
    why: 'the table of names in the conventions of OpenTelemetry and Sentry',
  },
]

/** `readCheckIns`, `CHECK_IN` and `check-in` are words like any others. */
const spaced = (text: string): string =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()

const singular = (words: string): string => spaced(words).replaceAll(/(?<=[^su])s\b/g, '')

interface Term {
  readonly word: string
  readonly pattern: RegExp
  /** It is all that stands between quotation marks. */
  readonly quoted: RegExp
}

/** @param isName the name of a capability that is long enough for it is found inside of words, too */
const termOf = (word: string, isName: boolean): Term => {
  const plural = `${word.replaceAll(' ', 's? ')}s?`
  return {
    word,
    pattern: isName && word.length > 4 ? new RegExp(word) : new RegExp(`\\b${plural}\\b`),
    quoted: new RegExp(`(['"\`])${plural}\\1`),
  }
}

/** Names of capabilities (as which their folders are called), words of their addresses, types of their items. */
const TERMS: readonly Term[] = (() => {
  const terms = new Map<string, Term>()
  for (const { name, itemRules = [], itemRulesUntilOthersDo = [], otlpAddresses = [] } of NAMED) {
    const types = [...itemRules, ...itemRulesUntilOthersDo].map(([type]) => type)
    for (const type of types) terms.set(singular(type), termOf(singular(type), false))
    for (const [address] of otlpAddresses) terms.set(singular(address), termOf(singular(address), true))
    terms.set(singular(name), termOf(singular(name), true))
  }
  return [...terms.values()]
})()

/**
 * @param file from `src` on
 * @returns the lines that name a capability, each with the word
 */
export const linesThatName = (file: string, source: string, ordinary = ORDINARY): string[] => {
  const here = ordinary.filter(({ files }) => files.test(file))
  const rules = TERMS.map((term) => ({ term, rules: here.filter(({ words }) => words.includes(term.word)) }))
  return source.split('\n').flatMap((line, index) => {
    const words = spaced(line)
    return rules
      .filter(({ term, rules: own }) => isNamed(term, line, words, own))
      .map(({ term }) => `${file}:${index + 1} ${term.word}: ${line.trim()}`)
  })
}

const isNamed = ({ pattern, quoted }: Term, line: string, words: string, rules: readonly Ordinary[]): boolean => {
  if (quoted.test(words) && !rules.some((rule) => rule.quoted)) return true
  if (!pattern.test(words) || rules.some((rule) => rule.as === undefined)) return false
  const rest = rules.reduce((text, { as }) => (as === undefined ? text : text.replace(as, ' ')), line)
  return pattern.test(spaced(rest))
}

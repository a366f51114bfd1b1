/**
 * Replaces what varies in a message (ids, addresses, times, numbers) by names such as `<uuid>`, so that messages of one
 * template are equal (protocol.md 5.5). Words and identifiers stay.
 *
 * One pass with one expression. Every quantifier that can begin at many positions is bounded, or begins only behind a
 * word boundary, so the work is linear in the input; the input is capped all the same (check 112).
 */
export const PARAMETERISE_CHARACTERS = 8192

const HEX = '[0-9a-fA-F]'
const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const DAY = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?'
const TIME = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[AaPp][Mm]\b)?`
const ZONE = String.raw`(?: ?(?:Z|(?:UTC|GMT)(?:[+-]\d{2}:?\d{2})?|[+-]\d{2}:?\d{2})\b)?`

/** In the order of protocol.md 5.5: the first that matches at a position wins. */
const KINDS: readonly (readonly [name: string, source: string])[] = [
  ['email', String.raw`(?<![\w.%+-])[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}`],
  [
    'url',
    String.raw`\b(?:https?|wss?|ftp|blob|file|capacitor|chrome-extension|moz-extension):(?:https?:)?//[^\s"'<>()\[\]{}]*[^\s"'<>()\[\]{}.,;:!?]`,
  ],
  [
    'hostname',
    String.raw`(?<![\w.-])(?:[A-Za-z0-9-]{1,63}\.){1,8}(?:com|net|org|gov|edu|io|dev|cloud|local|internal|(?:co|com)\.[a-z]{2}|de|uk|fr|jp|eu|ru|nl|pl|ch|br|cn|au)(?![\w-]|\.\w)`,
  ],
  [
    'ip',
    String.raw`(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|(?<![\w:])(?:${HEX}{1,4}:){7}${HEX}{1,4}(?![\w:])|(?<![\w:])(?=${HEX}{0,4}:{0,2}[0-9a-fA-F:]{0,34}\d)(?:${HEX}{1,4}:){1,6}(?::${HEX}{1,4}){1,6}(?![\w:])|(?<![\w:])::(?:1|ffff:(?:\d{1,3}\.){3}\d{1,3})(?![\w:])`,
  ],
  [
    'traceparent',
    String.raw`\b00-${HEX}{32}-${HEX}{16}-${HEX}{2}\b|\b${HEX}{32}-${HEX}{16}(?:-[01])?\b|\b1-${HEX}{8}-${HEX}{24}\b`,
  ],
  ['uuid', String.raw`(?<![\w])${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}(?!\w)`],
  ['sha1', String.raw`\b${HEX}{40}\b`],
  ['md5', String.raw`\b${HEX}{32}\b`],
  ['mac', String.raw`(?<![\w:])${HEX}{2}(?::${HEX}{2}){5}(?![\w:])|(?<![\w-])${HEX}{2}(?:-${HEX}{2}){5}(?![\w-])`],
  [
    'date',
    [
      String.raw`(?<!\w)\d{4}-\d{2}-\d{2}(?:[T ]${TIME}${ZONE})?(?!\d)`,
      String.raw`\b${DAY},? (?:\d{1,2} ${MONTH}|${MONTH} \d{1,2}),?(?: \d{4})?(?: ${TIME})?${ZONE}(?: \([\w ]{1,40}\))?`,
      String.raw`\b${MONTH} {1,2}\d{1,2}(?:,? \d{4})?(?: ${TIME})?${ZONE}`,
      String.raw`(?<!\w)\d{1,2} ${MONTH} \d{4}(?: ${TIME})?${ZONE}`,
      String.raw`(?<![\w/])\d{1,4}/\d{1,2}/\d{2,4}(?:,? ${TIME})?(?![\w/])`,
      String.raw`(?<![\w:])${String.raw`\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: ?[AaPp][Mm]\b)?`}${ZONE}(?![\w:])`,
    ].join('|'),
  ],
  [
    'duration',
    String.raw`(?<![\w.])\d{1,12}(?:\.\d{1,12})? ?(?:ns|us|µs|ms|secs?|seconds?|mins?|minutes?|hours?|hrs?|days?|s|m|h|d)(?!\w)`,
  ],
  ['swift_txn_id', String.raw`\btx[0-9a-f]{21}-[0-9a-f]{10}\b`],
  [
    'hex',
    String.raw`\b0[xX]${HEX}{1,128}\b|\b(?=[a-fA-F]{0,127}\d)(?=\d{0,127}[a-fA-F])(?:[0-9a-f]{8,128}|[0-9A-F]{8,128})\b`,
  ],
  ['git_sha', String.raw`\b(?=[a-f]{0,6}\d)(?=\d{0,6}[a-f])[0-9a-f]{7}\b`],
  [
    'random_id',
    String.raw`(?<![\w-])(?=[A-Za-z]{0,63}\d)(?=[a-z0-9]{0,63}[A-Z])(?=[A-Z0-9]{0,63}[a-z])(?=[A-Za-z]{0,63}\d[A-Za-z]{1,63}\d)[A-Za-z0-9]{16,64}(?![\w-])`,
  ],
  ['float', String.raw`(?<![\w.])-?\d{1,64}\.\d{1,64}(?:[eE][+-]?\d{1,4})?(?![\w]|\.\d)`],
  ['int', String.raw`(?<!\w)-?\d+(?!\w)`],
  ['quoted_str', String.raw`(?<==)(?:'[^'\n]{1,256}'|"[^"\n]{1,256}")`],
  ['bool', String.raw`(?<==)(?:true|false|True|False)\b`],
]

const EVERYTHING = new RegExp(KINDS.map(([, source]) => `(${source})`).join('|'), 'g')
/** Without one of these, nothing above can match. */
const WORTH_TRYING = /[0-9@=]|:\/\/|\.[a-z]/

export const parameterise = (text: string): string => {
  const capped = text.length > PARAMETERISE_CHARACTERS ? text.slice(0, PARAMETERISE_CHARACTERS) : text
  if (!WORTH_TRYING.test(capped)) return capped
  return capped.replace(EVERYTHING, (match: string, ...groups: unknown[]) => {
    for (let index = 0; index < KINDS.length; index++) {
      if (groups[index] !== undefined) return `<${KINDS[index]?.[0] ?? ''}>`
    }
    return match
  })
}

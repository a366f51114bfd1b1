/**
 * The patterns of the default scrubbing rules (protocol.md 4.4).
 *
 * Each is linear: repetitions are bounded, or cannot overlap with what follows them. The inputs are bounded too, by the
 * limits of normalisation. `hostile.test.ts` feeds them the strings that make careless expressions explode.
 */

/** A key with one of these in it has its value removed as a whole. */
const SENSITIVE_WORDS = [
  'password',
  'secret',
  'passwd',
  'api[-_]?key',
  'auth',
  'credentials',
  'mysql_pwd',
  'private[-_]?key',
  'bearer',
  '^otp$',
  '^two[-_]factor$',
]

export const SENSITIVE_KEY = new RegExp([...SENSITIVE_WORDS, 'token'].join('|'), 'i')

/** So has a value itself; `token` counts only in front of something that is assigned. */
export const SENSITIVE_VALUE = new RegExp([...SENSITIVE_WORDS, String.raw`token[^\s:=]{0,64}[:=]`].join('|'), 'i')

/** Cookies that carry a session, by their whole name. */
export const SESSION_COOKIES: ReadonlySet<string> = new Set([
  'sentrysid',
  'sudo',
  'su',
  'session',
  '__session',
  'sessionid',
  'user_session',
  'symfony',
  'phpsessid',
  'fasthttpsessionid',
  'mysession',
  'irissessionid',
  'csrf',
  'csrftoken',
  'xsrf',
  '_csrf',
  '_xsrf',
  'xsrf-token',
  '_csrf_token',
  '_vercel_jwt',
])

/** Cookies of frameworks that are not in that list but hold the same thing. */
export const SESSION_COOKIE =
  /session|sessid|csrf|xsrf|jwt|(?:^|[._-])sid$|^\.aspxauth|^__(?:secure|host)-.*(?:sess|auth|tok)/i

/**
 * Two quick tests that nearly every string of nearly every event fails: only what passes one is looked at more closely.
 * Together they match whatever any other pattern here can match. They are written for speed: alternatives of four plain
 * characters are four times as fast as the whole words (2.6 against 12 ns per character).
 */
export const WORD_HINT = /pass|secr|api[-_k]|auth|cred|mysq|priv|toke|bear/i
export const SHAPE_HINT = /:\/\/|[\\/]Users[\\/]|\d[ -]?\d{3}[ -]?\d|[A-Z]{2}\d\d ?[A-Z0-9]{4}|-----BEGIN/

/** Short values that are sensitive only as a whole have no place in the hints. */
export const WHOLE_WORD_CHARS = 'two-factor'.length

interface Pattern {
  /** As Sentry calls it. */
  readonly rule: string
  readonly pattern: RegExp
  /** What takes its place in free text, where a reader wants to know what was there. */
  readonly inText: string
  /** What takes its place elsewhere. */
  readonly inValue: string
  /** Matches whatever holds something for the pattern: no need to try without. */
  readonly needs: RegExp
}

/** Not after a letter, a digit, or the dot of a decimal number: random fractions look like card numbers. */
const NUMBER_START = String.raw`(?<![\w.]|\d[ -])`

export const PATTERNS: readonly Pattern[] = [
  {
    rule: '@pemkey',
    pattern: /-----BEGIN[A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END[A-Z ]{0,40}PRIVATE KEY-----|$)/g,
    inText: '[pemkey]',
    inValue: '[Filtered]',
    needs: /-----BEGIN/,
  },
  {
    rule: '@urlauth',
    pattern: /(?<=\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#:@]{0,256}:)[^\s/?#@]{1,256}(?=@)/gi,
    inText: '[Filtered]',
    inValue: '[Filtered]',
    needs: /@/,
  },
  {
    rule: '@creditcard',
    // Visa, MasterCard, Discover, JCB; American Express; Diners Club.
    pattern: new RegExp(
      `${NUMBER_START}(?:${[
        String.raw`(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6011|64[4-9]\d|65\d\d|35\d\d)[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}`,
        String.raw`3[47]\d\d[ -]?\d{6}[ -]?\d{5}`,
        String.raw`3(?:0[0-5]|[68]\d)\d[ -]?\d{6}[ -]?\d{4}`,
        String.raw`4\d{12}`,
      ].join('|')})(?![\\w]|[ -]\\d)`,
      'g',
    ),
    inText: '[creditcard]',
    inValue: '[Filtered]',
    needs: /\d[ -]?\d{3}[ -]?\d/,
  },
  {
    rule: '@usssn',
    pattern: /(?<![\w-])(?!000|666|9\d\d)\d{3}([ -])(?!00)\d\d\1(?!0000)\d{4}(?![\w-])/g,
    inText: '[us-ssn]',
    inValue: '[Filtered]',
    needs: /\d[ -]\d\d[ -]\d/,
  },
  {
    rule: '@iban',
    pattern:
      /\b(?:A[DELTZ]|B[AEGHRY]|C[HRYZ]|D[EKO]|E[EGS]|F[IOR]|G[BEILRT]|H[RU]|I[ELQST]|JO|K[WZ]|L[BCITUVY]|M[CDEKRTU]|N[LO]|P[KLST]|QA|R[OS]|S[ACEIKMTV]|T[LNR]|UA|V[AG]|XK)\d\d(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    inText: '[iban]',
    inValue: '[Filtered]',
    needs: /[A-Z]{2}\d\d ?[A-Z0-9]{4}/,
  },
]

/** The name in `/Users/name` and `C:\Users\name`. */
export const USER_PATH = /(?<=[\\/]Users[\\/])[^\\/\s"'<>:|?*]{1,256}/g

/** Only in free text: in the other fields a value with such a word is removed as a whole. */
export const BEARER = /\bbearer\s{1,8}[\w.~+/=-]{6,4096}/gi
export const ASSIGNED_SECRET =
  /((?:password|passwd|secret|token|api[-_]?key)["']?[=:]["']?)(?!\[Filtered\])[^\s"'&,;)}\]]{1,4096}/gi
export const EMAIL = /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])/gi

const IPV4 = String.raw`(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)`
const IPV6 = String.raw`(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?`
export const IP_ADDRESS = new RegExp(`(?<![\\w.:])(?:${IPV4}(?!\\w|\\.\\d)|(?:${IPV6})(?![\\w:]))`, 'gi')

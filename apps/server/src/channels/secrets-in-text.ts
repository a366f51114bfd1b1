/** Instead of a secret. */
const MASK = '•••'

/** Shorter ones are also parts of ordinary words: they are taken out where they stand by themselves. */
const LEAST_CHARS = 6

/** As a secret may stand in an address, in JSON or in HTML. */
const spellings = (secret: string): readonly string[] => {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inUrl = encodeURIComponent(secret)
  return [...new Set([secret, inJson, inUrl, secret.replaceAll('&', '&amp;')])]
}

const escaped = (character: string): string => String.raw`\u{${character.codePointAt(0)?.toString(16)}}`

const found = (spelling: string): string | RegExp =>
  spelling.length >= LEAST_CHARS
    ? spelling
    : new RegExp(
        String.raw`(?<![\p{L}\p{N}_])${spelling.replaceAll(/[^\p{L}\p{N}_]/gu, escaped)}(?![\p{L}\p{N}_])`,
        'gu',
      )

/** Takes secrets out of what is kept, logged or shown. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .flatMap(spellings)
    // A secret may contain another one.
    .toSorted((one, other) => other.length - one.length)
    .reduce((masked, spelling) => masked.replaceAll(found(spelling), MASK), text)

/** Of an address its origin: the rest of it may be all that one has to know to write there. */
export const addressWithoutSecrets = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? MASK : `${parsed.origin}/${MASK}`
}

const SECRET_HEADERS = new Set(['authorization', 'cookie', 'x-api-key'])

export const headersWithoutSecrets = (
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.has(name.toLowerCase()) ? MASK : withoutSecrets(value, secrets),
    ]),
  )

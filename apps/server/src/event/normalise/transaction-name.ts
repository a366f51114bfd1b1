/**
 * Names with the source `url` hold ids: each would be a transaction of its own. Segments of the path that look like ids
 * become `*` (protocol.md 4.7): numbers, UUIDs, hashes, dates, e-mail addresses, and long words with digits in them.
 */
export const cleanTransactionName = (name: string): string =>
  name.includes('/') ? name.split('/').map(cleanSegment).join('/') : name

const IDENTIFIER = new RegExp(
  [
    String.raw`\d+`,
    String.raw`[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}`,
    String.raw`(?=[a-f]*\d)[0-9a-f]{7,}`,
    String.raw`\d{4}-\d{2}(?:-\d{2}(?:[T ][\d:.]+Z?)?)?`,
    String.raw`[^@\s]+(?:@|%40)[^@\s]+`,
    String.raw`(?=[a-z_-]*\d)(?=\D*\d\D*\d)[\w-]{20,}`,
  ]
    .map((pattern) => `(?:${pattern})`)
    .join('|')
    .replace(/^(.*)$/, '^(?:$1)$'),
  'i',
)

const cleanSegment = (segment: string): string => (IDENTIFIER.test(segment) ? '*' : segment)

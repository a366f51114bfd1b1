/**
 * What the name of a release says: `package@version`, a bare version, the hash of a commit, or any other text. Sentry's
 * `release-parser` reads the same forms; beyond it a bare `1.2.3` and a leading `v` are versions, and pre-releases are
 * compared as Semantic Versioning 2 does, so that `beta.10` comes after `beta.2`.
 */
export type ReleaseVersion =
  | {
      readonly kind: 'version'
      /** Text before the first `@`; null of a bare version. Versions of different packages are in no order. */
      readonly package: string | null
      /** As it was sent, without the package. */
      readonly raw: string
      /** One to four numbers, without leading zeros. As text: a number of a build may exceed what a number holds. */
      readonly numbers: readonly string[]
      /** What follows `-`, or a letter that follows the numbers directly (`1.0a1`); null of a finished version. */
      readonly preRelease: string | null
      /** What follows `+`; null where nothing does. */
      readonly build: string | null
    }
  | { readonly kind: 'hash'; readonly package: string | null; readonly raw: string }
  | { readonly kind: 'other'; readonly package: string | null; readonly raw: string }

type Version = Extract<ReleaseVersion, { kind: 'version' }>

/** Lengths of hexadecimal texts that name a build and are no version, however they look. */
const HASH = /^(?:[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{20}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i

/**
 * A letter may follow at least two numbers directly: `1.0a1` is a version, `1a1` and `2f` (a short hash) are none. A number
 * of more than 40 digits is none, either.
 */
const VERSION =
  /^v?(\d{1,40}(?:\.\d{1,40}){0,3})(?:-([0-9a-z._~-]+)|(?<=\.\d{1,40})([a-z][0-9a-z._~-]*))?(?:\+([0-9a-z._~-]+))?$/i

/** @param release a release's name, of at most 200 characters */
export const readVersion = (release: string): ReleaseVersion => {
  const at = release.indexOf('@', 1)
  const packageName = at === -1 ? null : release.slice(0, at)
  const raw = at === -1 ? release : release.slice(at + 1)
  if (HASH.test(raw)) return { kind: 'hash', package: packageName, raw }
  const match = VERSION.exec(raw)
  if (match === null) return { kind: 'other', package: packageName, raw }
  const [, numbers = '', dashed, direct, build] = match
  return {
    kind: 'version',
    package: packageName,
    raw,
    numbers: numbers.split('.').map(withoutZeros),
    preRelease: dashed ?? direct ?? null,
    build: build ?? null,
  }
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '')

/** How many numbers count; those that are missing are zero. */
const NUMBERS = 4

/**
 * A text by whose bytes versions of one package are sorted: by numbers, then a pre-release before the finished version,
 * then by build. Null of what is no version.
 *
 * Numbers have their length in front of them, so that 9 comes before 10. The end of a part is a blank or `!`, which sort
 * before all characters of a version: what has fewer parts comes first.
 */
export const versionOrder = (version: ReleaseVersion): string | null => {
  if (version.kind !== 'version') return null
  const numbers = Array.from({ length: NUMBERS }, (_, index) => sortedNumber(version.numbers[index] ?? '0'))
  return `${numbers.join('')}${preReleaseOrder(version)}${version.build === null ? '' : sortedPart(version.build)}`
}

const sortedNumber = (digits: string): string => `${String(digits.length).padStart(2, '0')}${digits}`

const preReleaseOrder = ({ preRelease }: Version): string =>
  preRelease === null
    ? '~'
    : `${preRelease
        .split('.')
        .map((part) => `${sortedPart(part)}!`)
        .join('')} `

/** Numbers come before texts. */
const sortedPart = (part: string): string =>
  /^\d{1,99}$/.test(part) ? `0${sortedNumber(withoutZeros(part))}` : `1${part}`

/**
 * Which of two releases is the newer version: -1, 0, 1. Null when versions do not say: one of them is none, or they are of
 * different packages.
 */
export const compareVersions = (left: string, right: string): -1 | 0 | 1 | null => {
  const [a, b] = [readVersion(left), readVersion(right)]
  if (a.package !== b.package) return null
  const [before, after] = [versionOrder(a), versionOrder(b)]
  if (before === null || after === null) return null
  return before === after ? 0 : before < after ? -1 : 1
}

/** Characters that a release's name may have. */
const RELEASE_CHARACTERS = 200

/** Why a text can be the name of no release, as a sentence; null when it can. */
export const refusedReleaseName = (name: string): string | null => {
  if (name.trim() === '') return 'A release needs a name, e.g. “shop@1.4.0”.'
  if (name.length > RELEASE_CHARACTERS) {
    return `The name of a release may have ${RELEASE_CHARACTERS} characters, and this one has ${name.length}. Shorten it.`
  }
  if (name !== name.trim())
    return 'The name of a release begins and ends with something that can be seen. Remove the blanks.'
  if (name === '.' || name === '..' || name.toLowerCase() === 'latest') {
    return `“${name}” cannot be the name of a release: it has a meaning in addresses and searches. Use a version, e.g. “shop@1.4.0”.`
  }
  if (/[\\/]/.test(name)) {
    return 'The name of a release cannot have a slash or a backslash: it is a part of addresses. Write “feature-x” for “feature/x”.'
  }
  // oxlint-disable-next-line no-control-regex -- these are the characters that are refused
  if (/[\u0000-\u001F\u007F]/.test(name)) {
    return 'The name of a release cannot have line breaks, tabs or other characters that cannot be seen. Remove them.'
  }
  return null
}

/** Stands where the name of somebody stood who was erased. */
export const ERASED_NAME = '(deleted person)'

/** Names of somebody: `id:7`, `username:ada`, `email:…`, `ip:…`, and their addresses in lower case. */
export interface PersonNames {
  readonly keys: readonly string[]
  readonly emails: readonly string[]
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** An attribute that says whose something is, e.g. `user.id`: what stands in others, as `7` of a release, names nobody. */
const OF_USER = /(?:^|[.[])user(?:$|[.\]])/

const WITHIN_ADDRESS = /[\p{L}\p{N}_.%+-]$/u

const WITHIN_WORD = String.raw`[\p{L}\p{N}_]`

const anyOf = (texts: readonly string[]): string => texts.map(escaped).join('|')

/** @returns null where there is nothing to look for */
const patternOf = (texts: readonly string[], before: string, after: string, flags: string): RegExp | null =>
  texts.length === 0 ? null : new RegExp(`${before}(?:${anyOf(texts)})${after}`, flags)

/** What a headline lists of alerts: `3 more alerts: 7, 8, 9`, `All 3 are over: 7, 8, 9`. Of issues, errors are listed, which may be called as somebody is. */
const LISTS_GROUPS = /^(?:All )?\d+ (?!(?:more )?(?:new issue|issue|report|release|assignment)s?\b)\D/

const BEHIND_USER = String.raw`(?:^|[\s.[])user(?:\.[\w.]+)?\]? `
const BEHIND_COMMA = ': |, | and '

/** A text that was cut ends so, perhaps within a name. */
const CUT = '…'
/** So much of an address is still theirs, wherever it stands. */
const CUT_ADDRESS_CHARACTERS = 5

/** A text that was cut within one of these names, without what is left of it; else as it is. */
const withoutCutName = (
  text: string,
  names: readonly string[],
  isTheirs: (before: string, part: string) => boolean,
) => {
  if (!text.endsWith(CUT)) return text
  const left = text.slice(0, -CUT.length)
  for (const name of names) {
    for (let length = Math.min(name.length, left.length); length > 0; length -= 1) {
      const before = left.slice(0, left.length - length)
      const part = left.slice(before.length)
      const isPart = part.toLowerCase() === name.slice(0, length).toLowerCase()
      if (isPart && isTheirs(before, part)) return `${before}${ERASED_NAME}${CUT}`
    }
  }
  return text
}

/**
 * How somebody is named by values and in sentences that a program made of values. An address and a name with its kind
 * (`id:7`) are theirs wherever they stand; a bare id or user name only behind the name of an attribute of users, or where a
 * headline lists what happened to many (`3 alerts: 7, 8, 9`).
 */
export const namesIn = ({ emails, keys }: PersonNames) => {
  const bare = keys.flatMap((key) => (/^(?:id|username|ip):./.test(key) ? [key.slice(key.indexOf(':') + 1)] : []))
  const addresses = patternOf(
    emails,
    String.raw`(?<![\p{L}\p{N}_.%+-])`,
    String.raw`(?![\p{L}\p{N}_@-]|\.${WITHIN_WORD})`,
    'giu',
  )
  const typed = patternOf(keys, `(?<!${WITHIN_WORD})`, String.raw`(?!${WITHIN_WORD}|[-.:@]${WITHIN_WORD})`, 'gu')
  const ofUser = patternOf(bare, `(?<=${BEHIND_USER})`, String.raw`(?=$|[\s,;”"')]|\.(?:\s|$))`, 'gu')
  const listed = patternOf(bare, `(?<=${BEHIND_COMMA})`, '(?=$|, | and )', 'gu')
  const values = patternOf(bare, '(?<=^|, )', '(?=$|, )', 'gu')
  const behindUser = new RegExp(`${BEHIND_USER}$`)
  const behindComma = new RegExp(`(?:${BEHIND_COMMA})$`)
  const patterns = [addresses, typed, ofUser].filter((pattern) => pattern !== null)
  return {
    /** Whether the value of an attribute is one of their names. */
    isName: (attribute: string, value: string): boolean =>
      keys.includes(value) ||
      emails.includes(value.toLowerCase()) ||
      keys.includes(value.toLowerCase()) ||
      (OF_USER.test(attribute) && bare.includes(value)),
    /** What a group is called among others of which it is known that it is of them: its values, with commas between. */
    withoutValues: (text: string): string =>
      withoutCutName(values === null ? text : text.replaceAll(values, ERASED_NAME), bare, (before) =>
        /(?:^|, )$/.test(before),
      ),
    /** The text without them; the same text where it does not name them. */
    without: (text: string): string => {
      let left = text
      for (const pattern of patterns) left = left.replaceAll(pattern, ERASED_NAME)
      const isList = LISTS_GROUPS.test(left)
      if (listed !== null && isList) left = left.replaceAll(listed, ERASED_NAME)
      return withoutCutName(
        left,
        [...keys, ...emails, ...bare],
        (before, part) =>
          behindUser.test(before) ||
          (isList && behindComma.test(before)) ||
          (part.length >= CUT_ADDRESS_CHARACTERS && part.includes('@') && !WITHIN_ADDRESS.test(before)),
      )
    },
  }
}

export type NamesIn = ReturnType<typeof namesIn>

/** Parts by which texts, and JSON with texts in it, are found that may name them: exact ones, and those in lower case. */
export const partsOfNames = ({ emails, keys }: PersonNames) => {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
  const bare = keys.flatMap((key) => {
    const value = inJson(key.slice(key.indexOf(':') + 1))
    // By itself, in a sentence, and in JSON that is a text of the JSON.
    return key.startsWith('email:') ? [] : [inJson(key), `"${value}"`, ` ${value}`, inJson(`"${value}"`)]
  })
  return { exact: [...new Set(bare)], lower: emails.map(inJson) }
}

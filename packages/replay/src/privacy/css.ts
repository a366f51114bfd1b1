/** What a style sheet says in words, and pictures that are in it. */

/** Declarations that can hold words: what is put before and after elements, and values that such a declaration may take. */
const WORDS = /((?:^|[\s;{])(?:content|--[\w-]+)\s*:)([^;}]*)/gi
const STRING = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/g
/** One character, as it is written in a string: `a`, `\"`, `\201C `. */
const CHARACTER = /\\([\da-f]{1,6})\s?|\\[^]|[^]/giu
const PICTURE =
  /url\(\s*(?:"data:(?!font|application)[^"]*"|'data:(?!font|application)[^']*'|data:(?!font|application)[^)]*)\s*\)/gi

/** Signs of fonts that are made of pictures are no words. */
const isPrivateUse = (code: number): boolean => (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000

const maskString = (said: string): string => {
  const masked = said.slice(1, -1).replace(CHARACTER, (character, hex: string | undefined) => {
    const code = hex === undefined ? (character.codePointAt(0) ?? 0) : Number.parseInt(hex, 16)
    return isPrivateUse(code) || /\s/.test(character.charAt(0)) ? character : '*'
  })
  return said.charAt(0) + masked + said.charAt(0)
}

/** @param media pictures that are written into the sheet go as well */
export const maskCss = (css: string, words: boolean, media: boolean): string => {
  let masked = css
  // Most sheets and nearly all declarations have neither.
  if (words && /content|--/i.test(masked)) {
    masked = masked.replace(WORDS, (all, name: string, value: string) =>
      // Names of fonts show nothing.
      /--[\w-]*font/i.test(name) ? all : name + value.replace(STRING, maskString),
    )
  }
  if (media && masked.includes('data:')) masked = masked.replace(PICTURE, 'url("data:,")')
  return masked
}

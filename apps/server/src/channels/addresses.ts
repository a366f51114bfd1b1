/**
 * Addresses that an event names are to be read, not to be followed: readers make links of text without being asked. What is
 * put between is seen, so nobody copies something that is not what it looks like.
 */

const LINK_LIKE = /\b(?:(https?|ftp):\/\/|(www)\.)/gi

/** `evil.example/login`, `a@evil.example`. */
const NAME_LIKE = /(?<=[\p{L}\p{N}-])\.(?=\p{L}{2})/gu

/** Endings of files in which no name of a host ends: nobody makes a link of `main.js`, and it is to be copied. */
const FILE_LIKE =
  /^\.(?:c?js|mjs|jsx|tsx?|vue|css|scss|html?|json|xml|ya?ml|php|rb|go|java|kt|swift|cs|cpp|sql|txt|log)(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])/iu

/** `hxxps://`, as those write it who warn of addresses. */
export const shownInHeader = (text: string): string =>
  text.replaceAll(LINK_LIKE, (_, scheme: string | undefined, www: string | undefined) =>
    scheme === undefined ? `${www ?? ''}[.]` : `${scheme.replace(/^h../i, 'hxx').replace(/^f./i, 'fx')}://`,
  )

/** Whatever the scheme is. */
export const breakLinks = (text: string): string => text.replaceAll('://', '[:]//')

/** No name of a host holds together. */
export const breakNames = (text: string): string =>
  text.replaceAll(NAME_LIKE, (dot, at: number, whole: string) =>
    FILE_LIKE.test(whole.slice(at, at + 32)) ? dot : `[${dot}]`,
  )

/** Parts between which something can be put, so that no name of a host holds together. */
export const splitNames = (text: string): readonly string[] => text.split(NAME_LIKE)

/** How much longer a character may get by it, as it counts for a limit. */
export const ofBrokenAddress = (grapheme: string): number => (/[:.]/.test(grapheme) ? '[]'.length : 0)

/**
 * Trackers read texts: names call people, numbers refer to other tickets, words before numbers close them, and lines with
 * a slash are orders. What an event says does none of it: a mark that takes no space stands where it would begin.
 * Texts come here without such marks (`plainText` takes them out).
 */

/** U+200B, which trackers show as nothing and do not read over. */
export const BREAK = '​'

/** Before a name or number: `@anna`, `#12`, and what GitLab has besides: `!12`, `~bug`, `%milestone`, `&epic`, `$snippet`, `^alert`. */
const SIGNS = /[@#!~%&$^]/g
/** `GH-12`, `SHOP-12`. */
const KEYS = /([A-Za-z]\w{0,30})-(?=\d)/g
const CLOSING =
  /\b(clos(?:e[ds]?|ing)|fix(?:e[ds]|ing)?|resolv(?:e[ds]?|ing)|implement(?:s|ed|ing)?|complet(?:e[ds]?|ing)|duplicates?|part of|references?)\b/gi
const ADDRESSES = /:(?=\/\/)/g
const BARE_ADDRESSES = /\b(www\.)/gi
/** `:rocket:`. */
const EMOJI = /:(?=[a-z+][\w+-]{0,50}:)/gi
const ORDERS = /^(?=\s*\/)/gm

export const breakReferences = (text: string): string =>
  text
    .replaceAll(SIGNS, `$&${BREAK}`)
    .replaceAll(KEYS, `$1-${BREAK}`)
    .replaceAll(CLOSING, `$1${BREAK}`)
    .replaceAll(ADDRESSES, `:${BREAK}`)
    .replaceAll(BARE_ADDRESSES, `$1${BREAK}`)
    .replaceAll(EMOJI, `:${BREAK}`)
    .replaceAll(ORDERS, BREAK)

/** Nothing in code is read but, in some trackers, orders. */
export const breakOrders = (code: string): string => code.replaceAll(ORDERS, BREAK)

/** More steps than these from a document are not kept: browsers go down a page by recursion. */
export const MAX_DEPTH = 512
/** Of one page. */
export const MAX_NODES = 500_000
/** Characters of text, attributes and styles in one event. */
export const MAX_TEXT = 10 * 1024 * 1024
/** Side of a page in CSS pixels. */
export const MAX_SIDE = 16_384

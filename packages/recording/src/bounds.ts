/** More steps than these from a document are not kept: browsers go down a page by recursion. */
export const MAX_DEPTH = 512
/** Of one page. */
export const MAX_NODES = 500_000
/** Characters of text, attributes and styles in one event. */
export const MAX_TEXT = 10 * 1024 * 1024
/** Characters of an address, also of a page. */
export const MAX_ADDRESS = 4096
/** Children of a document: its element, a doctype, and comments, of which nobody needs many. */
export const MAX_OF_DOCUMENT = 32
/** Addresses beyond a bound that are counted, each once; of more than these only so many are told. */
export const MAX_LEFT_OUT = 1000
/** Side of a page in CSS pixels. */
export const MAX_SIDE = 16_384
/** The same, and what else is remembered, of a page as a whole. */
export const MAX_PAGE_TEXT = 2 * MAX_TEXT

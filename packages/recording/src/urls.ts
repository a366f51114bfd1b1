import { parsedAddress } from './asset-address.ts'
import { MAX_ADDRESS } from './bounds.ts'
import { isModestSvg, svgOf } from './svg-pictures.ts'

/** An address that is there and fetches nothing: a picture or font that could not be shown. */
export const NOTHING = 'data:,'

/** A grey dot, which takes the size that the page gives its pictures. */
export const MISSING_PICTURE = 'data:image/gif;base64,R0lGODdhAQABAIAAANzf5P///ywAAAAAAQABAAACAkQBADs='

/** One that shows nothing, whatever its size. */
export const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)(?:;[\w=.+-]+)*,/i
const RASTER = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp)(?:;[\w=.+-]+)*,/i
const FONT =
  /^data:(?:font\/[\w.+-]+|application\/(?:x-)?font-[\w.+-]+|application\/(?:vnd\.ms-fontobject|octet-stream))(?:;[\w=.+-]+)*,/i
/** Addresses of links that are worth showing. */
const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:'])

const SVG = /^data:image\/svg/i

const isModest = (address: string): boolean => {
  if (!SVG.test(address)) return true
  const text = svgOf(address)
  return text !== null && isModestSvg(text)
}

export const isPicture = (address: string): boolean => PICTURE.test(address) && isModest(address)
export const isRaster = (address: string): boolean => RASTER.test(address)

/** What breaks out of quotation marks. Written as a browser would write it in an address. */
const ESCAPED: Readonly<Record<string, string>> = {
  '"': '%22',
  '\\': '%5C',
  '\n': '',
  '\r': '',
  '\f': '',
  '<': '%3C',
}

/**
 * An address of CSS that a browser has already: part of the same document, a picture or a font in the address itself.
 * Fit for double quotation marks. Null for all others.
 */
export const harmlessUrl = (address: string): string | null => {
  const isPart = address.startsWith('#') && address.length <= MAX_ADDRESS
  const isHarmless = isPart || address === NOTHING || isPicture(address) || FONT.test(address)
  return isHarmless ? address.replace(/["\\\n\r\f<]/g, (character) => ESCAPED[character] ?? '') : null
}

/** Where a link of a page leads, for people to read. Null if there is nothing to say of it. */
export const linkText = (address: string, page: string | null): string | null => {
  const text = address.trim()
  if (text.startsWith('#') || text.length > MAX_ADDRESS) return text.slice(0, MAX_ADDRESS)
  const url = parsedAddress(text, null) ?? (page === null ? null : parsedAddress(text, page))
  return url !== null && LINK_SCHEMES.has(url.protocol) ? url.href : null
}

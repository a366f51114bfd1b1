import { MAX_ADDRESS } from './bounds.ts'

/** Null for what is no address. It is read once only: a recording may have a million of them. */
export const parsedAddress = (address: string, base: string | null): URL | null => {
  try {
    return new URL(address, base ?? undefined)
  } catch {
    return null
  }
}

/** By what addresses of a page or sheet are resolved. One that is too long is none: each of them is read with all of it. */
export const baseOf = (address: string | null): string | null =>
  address !== null && address.length <= MAX_ADDRESS ? address : null

/**
 * The address of a picture, font or style sheet of a page, whole and in the one way in which it is written here: whoever
 * collects addresses and whoever looks for what was kept of them must come to the same. Null for what is not of the web.
 *
 * @param base address of the page or sheet that it stands in; null where that is not known
 */
export const assetAddress = (address: string, base: string | null): string | null => {
  if (address === '' || address.length > MAX_ADDRESS || address.startsWith('#')) return null
  const url = parsedAddress(address, baseOf(base))
  if (url === null) return null
  const isOfWeb = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isOfWeb || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href
}

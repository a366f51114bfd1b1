import { MAX_ADDRESS } from './bounds.ts'

/**
 * The address of a picture, font or style sheet of a page, whole and in the one way in which it is written here: whoever
 * collects addresses and whoever looks for what was kept of them must come to the same. Null for what is not of the web.
 *
 * @param base address of the page or sheet that it stands in; null where that is not known
 */
export const assetAddress = (address: string, base: string | null): string | null => {
  if (address === '' || address.length > MAX_ADDRESS || address.startsWith('#')) return null
  if (!URL.canParse(address, base ?? undefined)) return null
  const url = new URL(address, base ?? undefined)
  const isOfWeb = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isOfWeb || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href
}

/** One customer of a provider has a whole /64 of IPv6, so that is what counts as one address. */
export const networkOf = (address: string | null): string => {
  if (address === null || !address.includes(':')) return address ?? ''
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head.split(':')
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - tail.split(':').length)
  return [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')].slice(0, 4).join(':')
}

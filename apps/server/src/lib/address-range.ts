import { isIP, type BlockList } from 'node:net'

interface AddressRange {
  readonly address: string
  readonly bits: number
  readonly family: 'ipv4' | 'ipv6'
}

/** An address, or a range of them in CIDR notation; null for what is neither. */
export const readAddressRange = (range: string): AddressRange | null => {
  const [address = '', prefix] = range.split('/')
  const family = isIP(address)
  const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix)
  if (family === 0 || !/^\d*$/.test(prefix ?? '') || bits > (family === 4 ? 32 : 128)) return null
  return { address, bits, family: family === 4 ? 'ipv4' : 'ipv6' }
}

/** @returns whether it is one */
export const addRange = (list: BlockList, range: string): boolean => {
  const read = readAddressRange(range)
  if (read === null) return false
  list.addSubnet(read.address, read.bits, read.family)
  return true
}

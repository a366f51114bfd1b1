import { BlockList, isIP } from 'node:net'

const compiled = new WeakMap<readonly string[], BlockList>()

/** True when the address is one of these addresses or in one of these ranges (`10.0.0.0/8`). Unreadable ranges match nothing. */
export const isInRanges = (ranges: readonly string[], address: string): boolean => {
  const version = isIP(address)
  if (version === 0 || ranges.length === 0) return false
  let list = compiled.get(ranges)
  if (list === undefined) {
    list = compile(ranges)
    compiled.set(ranges, list)
  }
  return list.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

const compile = (ranges: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.trim().split('/', 2)
    const version = isIP(address)
    if (version === 0) continue
    const family = version === 6 ? 'ipv6' : 'ipv4'
    const maximum = version === 6 ? 128 : 32
    const bits = prefix === undefined ? maximum : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (bits >= 0 && bits <= maximum) list.addSubnet(address, bits, family)
  }
  return list
}

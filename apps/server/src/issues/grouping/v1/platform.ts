/** Families of platforms that share rules (`family:` in project rules). */
export type Family = 'javascript' | 'native' | 'other'

const JAVASCRIPT = new Set(['javascript', 'node'])
const NATIVE = new Set(['native', 'objc', 'cocoa', 'swift', 'c', 'rust', 'macho', 'elf', 'pe'])

export const familyOf = (platform: string): Family => {
  if (JAVASCRIPT.has(platform)) return 'javascript'
  return NATIVE.has(platform) ? 'native' : 'other'
}

/**
 * Under which addresses the file of a frame may have been uploaded, the likeliest first. `~` stands for any scheme and host
 * (Sentry's `symbolicator` tries the same); the decoded forms are ours: frameworks write `%5Bid%5D` and upload `[id]`.
 */
export const uploadedAddresses = (address: string): readonly string[] => {
  const bare = withoutPrefix(address)
  const noFragment = bare.replace(/#.*$/s, '')
  const noQuery = noFragment.replace(/\?.*$/s, '')
  const forms = [noFragment, noQuery, tilde(noFragment), tilde(noQuery)]
  return [...new Set([...forms, ...forms.map(decoded)])].filter((form) => form !== '')
}

/** What engines and frameworks put in front of an address in a stack. */
const withoutPrefix = (address: string): string => address.replace(/^(?:async |eval at )+/, '').trim()

const tilde = (address: string): string => {
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(\/.*)$/is.exec(address)?.[1]
  if (path !== undefined) return `~${path}`
  return address.startsWith('/') ? `~${address}` : address
}

const decoded = (address: string): string => {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** The address of a map, from that of the file that names it. */
export const referredAddress = (reference: string, from: string): string => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return reference
  const base = /^(~|[a-z][a-z0-9+.-]*:\/\/[^/]*)?(\/?.*)$/is.exec(from.replace(/[?#].*$/s, ''))
  const host = base?.[1] ?? ''
  if (reference.startsWith('//'))
    return /^https?:/i.test(host) ? `${host.slice(0, host.indexOf(':'))}:${reference}` : reference
  if (reference.startsWith('~/')) return reference
  const [, query = ''] = /^[^?#]*(.*)$/s.exec(reference) ?? []
  const path = reference.slice(0, reference.length - query.length)
  const folders = path.startsWith('/') ? [] : (base?.[2] ?? '').split('/').slice(0, -1)
  const parts = folders.filter((folder) => folder !== '')
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return `${host}${host === '' && !from.startsWith('/') ? '' : '/'}${parts.join('/')}${query}`
}

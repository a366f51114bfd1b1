/** Names of what is nobody else's. */
export const SECRET = /pass|pwd|secret|token|auth|api[-_]?key|session|sid$|code$|jwt|signature|otp|credential/i
export const FILTERED = '[Filtered]'

/** The page's address without what looks like a secret in query and fragment (widget.md E 89), and without a password of its own. */
export const scrubUrl = (address: string): string => {
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? []
  return before.replace(/\/\/[^/@]*@/, '//') + scrubPairs(query) + scrubPairs(fragment)
}

const scrubPairs = (text: string): string =>
  text.replace(/([?#&;])([^=&#;?]+)=([^&#;]*)/g, (whole, lead: string, name: string) =>
    SECRET.test(name) ? `${lead}${name}=${FILTERED}` : whole,
  )

/** The token of a set-up link, of its fragment, or alone, whichever was opened or pasted; '' when there is none. */
export const readSetupToken = (text: string): string => {
  const [, token = text] = /#token=(.*)/.exec(text) ?? []
  return token.replace(/^#/, '').trim()
}

const STORAGE_KEY = 'firsthand:setup-token'

/** The token that this tab was opened with: a reload has it no more in its address. */
export function storedToken(): string {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? ''
  } catch {
    // A browser that forbids storage: the page asks for the token.
    return ''
  }
}

/** Stores it for this tab; '' removes it. */
export function storeToken(token: string): void {
  try {
    if (token === '') sessionStorage.removeItem(STORAGE_KEY)
    else sessionStorage.setItem(STORAGE_KEY, token)
  } catch {
    // A browser that forbids storage: the token is asked for after a reload.
  }
}

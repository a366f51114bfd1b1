const STORAGE_KEY = 'firsthand:organization'

/** Slug of the organisation that was open last on this device, or null. */
export function lastOrganization(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY)
  } catch {
    // Storage can be forbidden; the first organisation then opens.
    return null
  }
}

export function rememberOrganization(slug: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, slug)
  } catch {
    // Storage can be forbidden; the first organisation then opens.
  }
}

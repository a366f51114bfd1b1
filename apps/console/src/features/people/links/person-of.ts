/** What is known of somebody, as events and reports have it. */
export interface KnownUser {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly ipAddress?: string
}

/** The key of their page, by the first that is known, as users are counted; null for nobody. */
export function personOf({ id, username, email, ipAddress = '' }: KnownUser): string | null {
  if (id !== '') return `id:${id}`
  if (username !== '') return `username:${username}`
  if (email !== '') return `email:${email}`
  return ipAddress === '' ? null : `ip:${ipAddress}`
}

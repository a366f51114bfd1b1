/** Address of a check-in by URL. @param dsn public DSN of the project */
export function pingAddress(dsn: string, slug: string): string {
  const { host, pathname, protocol, username } = new URL(dsn)
  const project = pathname.split('/').at(-1) ?? ''
  const folder = pathname.slice(0, pathname.lastIndexOf('/'))
  return `${protocol}//${host}${folder}/api/${project}/cron/${slug}/${username}`
}

/** A line of a shell that checks in, and makes the monitor when there is none. */
export const pingLine = (dsn: string, slug: string, schedule: string): string =>
  `curl -fsS --retry 3 "${pingAddress(dsn, slug)}?status=ok&schedule=${schedule.replaceAll(' ', '+')}"`

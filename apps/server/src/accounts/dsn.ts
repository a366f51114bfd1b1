import { parseDsn } from '@firsthand/protocol'

/**
 * Everything that a project's key is called by.
 *
 * @param publicUrl without a final slash; may have a path
 */
export const dsnsOf = (publicUrl: string, publicKey: string, projectId: number) => {
  const url = new URL(publicUrl)
  const base = `${url.host}${url.pathname.replace(/\/+$/, '')}`
  const api = `${url.protocol}//${base}/api/${projectId}`
  const dsn = `${url.protocol}//${publicKey}@${base}/${projectId}`
  const query = `?sentry_key=${publicKey}`
  return {
    public: dsn,
    // Secrets went out of use; whoever still asks for one gets a DSN that works.
    secret: dsn,
    csp: `${api}/csp-report/${query}`,
    security: `${api}/security/${query}`,
    minidump: `${api}/minidump/${query}`,
    nel: `${api}/nel/${query}`,
    unreal: `${api}/unreal/${publicKey}/`,
    crons: `${api}/cron/___MONITOR_SLUG___/${publicKey}/`,
    cdn: `${url.protocol}//${base}/js-sdk-loader/${publicKey}.min.js`,
  }
}

/**
 * Where a DSN that is adopted sends to: there this server will be, for the applications that have the DSN stay as they are.
 * Null for one of Sentry's own service, whose name nobody can point here.
 */
export const addressOfAdopted = (adopted: string | undefined): string | null => {
  const dsn = adopted === undefined ? null : parseDsn(adopted)
  if (dsn === null || /(?:^|\.)sentry\.io$/.test(dsn.host)) return null
  const { protocol, host, port, path } = dsn
  return `${protocol}://${host}${port === null ? '' : `:${port}`}${path === '' ? '' : `/${path}`}`
}

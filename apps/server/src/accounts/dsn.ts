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
    cdn: '',
  }
}

/** How an SDK is told to send log lines. */
export function setUpLogs(platform: string, dsn: string): string {
  if (platform.startsWith('python')) {
    return [
      `sentry_sdk.init(`,
      `    dsn="${dsn}",`,
      `    enable_logs=True,`,
      `)`,
      `sentry_sdk.logger.info("order placed", attributes={"order": 17})`,
    ].join('\n')
  }
  return [
    'Sentry.init({',
    `  dsn: '${dsn}',`,
    '  enableLogs: true,',
    '})',
    "Sentry.logger.info('order placed', { order: 17 })",
  ].join('\n')
}

import { initWith } from './api.ts'
import { breadcrumbsIntegration } from './breadcrumbs/index.ts'
import { getDefaultIntegrations as coreIntegrations } from './core.ts'
import { offlineIntegration } from './offline/index.ts'
import type { Client } from './client.ts'
import type { BrowserOptions, Integration } from './types.ts'

export * from './exports.ts'
export { addEventProcessor, isEnabled } from './api.ts'
export { SDK_VERSION } from './client.ts'
export { showReportDialog } from './report-dialog.ts'
export type { ReportDialogOptions } from './report-dialog.ts'
export { breadcrumbsIntegration, offlineIntegration }

export const getDefaultIntegrations = (): Integration[] => [
  ...coreIntegrations(),
  breadcrumbsIntegration(),
  offlineIntegration(),
]

/** Undefined when it could not start; with `debug: true` the console says why. */
export const init = (options: BrowserOptions = {}): Client | undefined => initWith(options, getDefaultIntegrations)

/** Errors only: no breadcrumbs, nothing is kept for later. The same functions as the whole. */
import { initWith } from './api.ts'
import { dedupeIntegration } from './dedupe.ts'
import { globalHandlersIntegration } from './global-handlers.ts'
import type { Client } from './client.ts'
import type { BrowserOptions, Integration } from './types.ts'

export * from './exports.ts'

export const getDefaultIntegrations = (): Integration[] => [globalHandlersIntegration(), dedupeIntegration()]

/** Undefined when it could not start; with `debug: true` the console says why. */
export const init = (options: BrowserOptions = {}): Client | undefined => initWith(options, getDefaultIntegrations)

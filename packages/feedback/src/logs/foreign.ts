import { call, isObject } from '../send/scopes.ts'

/** What Sentry's SDK, where the page has one beside the widget, noted of what happened. Null without one that notes it. */
export const foreignBreadcrumbs = (): readonly unknown[] | null => {
  const carrier = (globalThis as { __SENTRY__?: unknown }).__SENTRY__
  for (const version of isObject(carrier) ? Object.values(carrier).filter(isObject) : []) {
    const stack = version['stack']
    const client = call(stack, 'getClient') ?? call(version['defaultCurrentScope'], 'getClient')
    if (
      !isObject(client) ||
      !(client as { getIntegrationByName?(name: string): unknown }).getIntegrationByName?.('Breadcrumbs')
    )
      continue
    const isolation = call(stack, 'getIsolationScope') ?? version['defaultIsolationScope']
    const data = call(isolation, 'getScopeData')
    return isObject(data) && Array.isArray(data['breadcrumbs']) ? (data['breadcrumbs'] as unknown[]) : []
  }
  return null
}

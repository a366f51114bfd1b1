import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../../lib/shared-queries.ts'
import { lastOrganization } from '../../shell/last-organization.ts'
import { organizationRoute, signedInRoute } from '../../shell/parent-routes.tsx'

/** Addresses of Sentry's console, which stand in other people's tools: each leads to the trace. */

const openTransaction = async (organizations: readonly string[], link: string, signal: AbortSignal): Promise<never> => {
  const { findLinked } = await import('./find-transaction.ts')
  const found = await findLinked(organizations, link, signal)
  if (found === null) throw notFound()
  const { org, span, trace } = found
  throw redirect({ to: '/organizations/$org/traces/$trace', params: { org, trace }, search: { span }, replace: true })
}

const openTrace = ({ params }: { readonly params: { readonly org: string; readonly trace: string } }): never => {
  throw redirect({ to: '/organizations/$org/traces/$trace', params, replace: true })
}

const linkedTransactionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'performance/$link',
  // What has no colon is a page of another feature.
  params: { parse: ({ link }) => link.includes(':') && { link } },
  loader: ({ abortController, params: { link, org } }) => openTransaction([org], link, abortController.signal),
})

/** Sentry's address has the organisation in its host: whose it is, is found out. */
const transactionSomewhereRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'performance/$link',
  loader: async ({ abortController, context, params: { link } }) => {
    const { organizations } = await context.queryClient.ensureQueryData(sessionQuery)
    const last = lastOrganization()
    const slugs = organizations
      .map(({ slug }) => slug)
      .toSorted((one, other) => Number(other === last) - Number(one === last))
    return openTransaction(slugs, link, abortController.signal)
  },
})

const linkedTraceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'explore/traces/trace/$trace',
  beforeLoad: openTrace,
})

const formerTraceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'performance/trace/$trace',
  beforeLoad: openTrace,
})

export const linkedRoutes = [
  linkedTransactionRoute,
  transactionSomewhereRoute,
  linkedTraceRoute,
  formerTraceRoute,
] as const

import { createRoute, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../lib/shared-queries.ts'
import { lastOrganization } from '../shell/last-organization.ts'
import { NoOrganizationPage } from '../shell/no-organization-page.tsx'
import { rootRoute } from './root.tsx'

/** The auth gate: everything below needs a signed-in person. A new installation goes to its set-up first. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location, preload }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session.user !== null || preload) return
    if (session.setupNeeded) throw redirect({ to: '/setup', replace: true })
    throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href }, replace: true })
  },
})

/** `/` leads to the organisation that was open last. */
export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const { organizations } = await context.queryClient.ensureQueryData(sessionQuery)
    const last = lastOrganization()
    const organization = organizations.find((candidate) => candidate.slug === last) ?? organizations[0]
    if (organization !== undefined) {
      throw redirect({ to: '/organizations/$org/issues', params: { org: organization.slug }, replace: true })
    }
  },
  component: NoOrganizationPage,
})

import { livingProjects } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import { createProfileRoutes, type ProfileServices } from './profiles.routes.ts'
import { createProfileView } from './profiles.view.ts'
import { createSentryProfileRoutes } from './sentry-profile.routes.ts'

export const serveProfiles = ({ blobs, client, clock, ledger }: ServerParts): Served => {
  const services: ProfileServices = {
    profiles: createProfileView({ client }),
    blobs,
    projects: livingProjects(ledger),
    clock,
  }
  return { routes: [...createProfileRoutes(services), ...createSentryProfileRoutes(services)] }
}

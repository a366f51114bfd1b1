import type { Fact } from '../facts/index.ts'

/** What is noted of monitors. */

declare module '../facts/fact.ts' {
  interface FactKinds {
    /** Environments of a monitor are gone for good. */
    monitor_environments_removed: { readonly guid: string; readonly environments: readonly string[] }
  }
}

/** Environments that one fact has room for. */
export const ENVIRONMENTS_IN_A_FACT = 100

export const removedEnvironments = (
  place: { readonly organizationId: number; readonly projectId: number; readonly now: number },
  guid: string,
  environments: readonly string[],
): Fact => ({
  organizationId: place.organizationId,
  projectId: place.projectId,
  kind: 'monitor_environments_removed',
  issueId: null,
  reportId: null,
  actorId: null,
  receivedAt: place.now,
  data: { guid, environments },
})

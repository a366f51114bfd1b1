import { getServerStatus } from '@firsthand/contract'
import type { Accounts } from './accounts/index.ts'
import type { Capability, Served } from './capability.ts'
import { bind, createLiveRoutes } from './http/index.ts'
import type { Live, Route } from './http/index.ts'
import type { ItemRules } from './ingest/index.ts'
import { uniqueEntries } from './lib/unique-entries.ts'
import type { Status } from './status.ts'

/** All routes of the API: those of each capability, and the two of the server itself. */
export const routesOf = (
  served: readonly Served[],
  { accounts, live, status }: { readonly accounts: Accounts; readonly live: Live; readonly status: Status },
): Route[] => [
  ...served.flatMap(({ routes = [] }) => routes),
  ...createLiveRoutes({
    live,
    authenticator: accounts.authenticator,
    resolveProjects: (organizationId, references) => accounts.projects.resolve(organizationId, references),
  }),
  bind(getServerStatus, async ({ request }) => ({
    body: await status({
      organizationId: request.organization.id,
      isOperator: request.organization.scopes.has('org:write'),
    }),
  })),
]

/** How the door reads items: the rules of all capabilities. */
export const rulesOf = (capabilities: readonly Capability[]): ItemRules => {
  const rules = uniqueEntries(
    'rule for items of type',
    capabilities.flatMap(({ itemRules = [] }) => [...itemRules]),
  )
  for (const { itemRulesUntilOthersDo = [] } of capabilities) {
    for (const [type, rule] of itemRulesUntilOthersDo) if (!rules.has(type)) rules.set(type, rule)
  }
  return rules
}

/** Where the door takes exports of OpenTelemetry: the addresses of all capabilities. */
export const otlpAddressesOf = (capabilities: readonly Capability[]): ReadonlyMap<string, string> =>
  uniqueEntries(
    'OTLP address',
    capabilities.flatMap(({ otlpAddresses = [] }) => [...otlpAddresses]),
  )

/** What `createHttpApp` asks about addresses that no route has. */
export const resolverOf =
  (served: readonly Served[]) =>
  async (path: string): Promise<string | null> => {
    for (const { resolve } of served) {
      const found = (await resolve?.(path)) ?? null
      if (found !== null) return found
    }
    return null
  }

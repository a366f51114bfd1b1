import type { AccountStore } from './accounts.store.ts'
import type { Organization } from './model.ts'

/** The organisations that a caller has a part in: of a person, their own; of a token, the one that it was made for. */
export const visibleOrganizations = async (
  store: AccountStore,
  caller: { readonly user: { readonly id: number }; readonly tokenOrganizationId: number | null } | null,
): Promise<readonly Organization[]> => {
  if (caller === null) return []
  const own = (await store.memberships(caller.user.id)).map(({ organization }) => organization)
  return own.filter(({ id }) => caller.tokenOrganizationId === null || caller.tokenOrganizationId === id)
}

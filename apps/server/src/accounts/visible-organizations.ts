import type { AccountStore } from './accounts.store.ts'
import type { Organization } from './model.ts'

/** The organisations that a caller has a part in: of a person, their own; of a token, the one that it was made for. */
export const visibleOrganizations = async (
  store: AccountStore,
  caller: { readonly user: { readonly id: number } | null; readonly tokenOrganizationId: number | null } | null,
): Promise<readonly Organization[]> => {
  if (caller === null) return []
  const { user, tokenOrganizationId } = caller
  if (user !== null) {
    const own = (await store.memberships(user.id)).map(({ organization }) => organization)
    return own.filter(({ id }) => tokenOrganizationId === null || tokenOrganizationId === id)
  }
  const organization = tokenOrganizationId === null ? null : await store.organization(tokenOrganizationId)
  return organization === null ? [] : [organization]
}

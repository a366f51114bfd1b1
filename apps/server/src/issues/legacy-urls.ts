import { REPORT_ID_OFFSET } from '@firsthand/contract'

const ADDRESS = /^\/(?:issues|groups)\/(\d{1,16})(\/.*)?$/
/** Sentry calls an issue a group as well. */
const GROUP = /^\/organizations\/([^/]+)\/groups\/([^/]+)(\/.*)?$/

/** Ids begin with 1, so that no organisation has this one. */
const NO_ORGANIZATION = 0

/**
 * Scripts of Sentry's users call issues without their organisation: `/issues/{id}/…` or `/groups/{id}/…`. Such an address is answered as
 * `/organizations/{org}/issues/{id}/…` of the issue's organisation, with its access and isolation. An issue that does not
 * exist is looked for in an organisation that does not exist: who may not see an issue cannot tell the two apart.
 *
 * @returns for a path (below `/api/0`), the path that stands for it; null when it is no such address
 */
export const createLegacyUrls =
  (organizationOf: (issueId: number) => Promise<number | null>) =>
  async (path: string): Promise<string | null> => {
    const group = GROUP.exec(path)
    if (group !== null) return `/organizations/${group[1]}/issues/${group[2]}${group[3] ?? '/'}`
    const match = ADDRESS.exec(path)
    if (match === null) return null
    const id = Number(match[1])
    // That of a report of a visitor, which is not looked for here.
    if (id > REPORT_ID_OFFSET && id < 1000 * REPORT_ID_OFFSET) return null
    const organization = Number.isSafeInteger(id) ? await organizationOf(id) : null
    return `/organizations/${organization ?? NO_ORGANIZATION}/issues/${id}${match[2] ?? '/'}`
  }

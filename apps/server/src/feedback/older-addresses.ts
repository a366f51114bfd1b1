import { readReportReference, type ReportReference } from './report-short-id.ts'

const ADDRESS = /^\/(?:issues|groups)\/([0-9a-f]{32}|\d{13,15})(\/.*)?$/i

/** Ids begin with 1, so that no organisation has this one. */
const NO_ORGANIZATION = 0

/**
 * `/issues/{id}/…` without the organisation, for a report that was found among issues: answered as that of its
 * organisation, with its access and isolation. Who may not see a report cannot tell it from one that does not exist.
 *
 * @returns for a path (below `/api/0`), the path that stands for it; null when it is no such address
 */
export const createOlderAddresses =
  (organizationOf: (report: ReportReference) => Promise<number | null>) =>
  async (path: string): Promise<string | null> => {
    const [match, id = '', rest = '/'] = ADDRESS.exec(path) ?? []
    const reference = match === undefined ? null : readReportReference(id)
    if (reference === null) return null
    return `/organizations/${(await organizationOf(reference)) ?? NO_ORGANIZATION}/issues/${id.toLowerCase()}${rest}`
  }

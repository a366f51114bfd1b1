import { alertDraft, type AlertDraft } from '@firsthand/contract'

export type ReadDraft =
  | { readonly draft: AlertDraft; readonly problem: null }
  /** Why it cannot be read, in a sentence. */
  | { readonly draft: null; readonly problem: string }

/** What was saved of a rule. Drafts of former versions lack what came later: it has its defaults. One of a later version says so. */
export const readDraft = (
  json: string,
  own: Pick<AlertDraft, 'name'> & Partial<Pick<AlertDraft, 'isEnabled'>>,
): ReadDraft => {
  const read = alertDraft.safeParse({ ...(JSON.parse(json) as AlertDraft), ...own, projects: null })
  if (read.success) return { draft: read.data, problem: null }
  const [issue] = read.error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return {
    draft: null,
    problem: `What was saved of this alert cannot be read any more (${where}${issue?.message ?? ''}). Save it anew.`,
  }
}

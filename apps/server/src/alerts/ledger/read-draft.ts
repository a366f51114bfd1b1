import { alertDraft, type AlertDraft } from '@firsthand/contract'
import { err, ok, type Result } from '../../lib/result.ts'

/** What was saved of a rule. Drafts of former versions lack what came later: it has its defaults. One of a later version says so. */
export const readDraft = (
  json: string,
  own: Pick<AlertDraft, 'name'> & Partial<Pick<AlertDraft, 'isEnabled'>>,
): Result<AlertDraft, string> => {
  const read = alertDraft.safeParse({ ...(JSON.parse(json) as AlertDraft), ...own, projects: null })
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return err(`What was saved of this alert cannot be read any more (${where}${issue?.message ?? ''}). Save it anew.`)
}

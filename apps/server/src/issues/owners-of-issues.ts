import type { IssueOwner } from '@firsthand/contract'
import { toDate } from '../lib/instant-text.ts'
import type { Question } from '../lib/questions.ts'

/** Whose issues are by rules. The capability that keeps the rules answers. */
export const OWNERS_OF_ISSUES: Question<readonly number[], ReadonlyMap<number, readonly NamedOwner[]>> = {
  name: 'whose issues are',
  otherwise: new Map(),
}

export interface NamedOwner {
  readonly source: 'rules' | 'codeowners'
  readonly type: 'user' | 'team'
  readonly id: number
  readonly name: string
  /** The line that decided. */
  readonly rule: string
  readonly foundAt: number
}

export const ownerJson = ({ foundAt, id, name, rule, source, type }: NamedOwner): IssueOwner => ({
  type: source === 'codeowners' ? 'codeowners' : 'ownershipRule',
  owner: `${type}:${id}`,
  name,
  date_added: toDate(foundAt),
  rule,
})

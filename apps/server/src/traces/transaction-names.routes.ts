import { getTransactionNames, updateTransactionNames, type TransactionNames } from '@firsthand/contract'
import type { Accounts } from '../accounts/index.ts'
import { badRequest, bind, notFound, type Route } from '../http/index.ts'
import { toDate } from '../lib/instant-text.ts'
import type { ListedNames, NameRules } from './ledger/name-rules.ts'
import { LIMITS } from './limits.ts'
import { UNUSED, type NameUse } from './names/project-names.ts'

/** By which rules the transactions of a project are called. */
export const createTransactionNameRoutes = ({
  accounts,
  rules,
}: {
  readonly accounts: Pick<Accounts, 'store'>
  readonly rules: NameRules
}): Route[] => {
  const projectOf = async (organizationId: number, slug: string): Promise<number> => {
    const project = await accounts.store.project(organizationId, slug)
    if (project === null) throw notFound()
    return project.id
  }
  return [
    bind(getTransactionNames, async ({ params, request }) => ({
      body: namesJson(await rules.load(await projectOf(request.organization.id, params.project))),
    })),
    bind(updateTransactionNames, async ({ body: { pattern, state }, params, request }) => {
      const projectId = await projectOf(request.organization.id, params.project)
      const changed = await rules.change(projectId, pattern, state)
      if (!changed.ok) {
        throw changed.error === null ? notFound() : badRequest(changed.error, { pattern: changed.error })
      }
      return { body: namesJson(await rules.load(projectId)) }
    }),
  ]
}

const useJson = ({ examples, lastAt, times }: NameUse) => ({
  times,
  lastUsed: lastAt === null ? null : toDate(lastAt),
  examples: examples.map(({ name, sent }) => ({ name, sent })),
})

const namesJson = ({ rules, seen }: ListedNames): TransactionNames => ({
  rules: rules.map(({ isOwn, isRefused, madeAt, pattern, use }) => ({
    pattern,
    origin: isOwn ? 'own' : 'learned',
    isRefused,
    dateCreated: toDate(madeAt),
    ...useJson(use),
  })),
  form: useJson(seen?.form ?? UNUSED),
  other: useJson(seen?.other ?? UNUSED),
  places: seen?.places ?? 0,
  mostPlaces: LIMITS.NAME_PLACES,
  learnedFrom: LIMITS.NAME_SLUGS,
})

import { titleOf } from '../writing/draft.ts'
import { markdownOf } from '../writing/markdown.ts'
import { fieldOf, isNoAnswer, isNumber, isSame, pathBelow, textOf, trimmed } from './answers.ts'
import { TrackerFailure } from './failure.ts'
import type { RemoteTicket, Target, TrackerKind } from './kind.ts'

/** Issues of repositories, as GitHub has them; Gitea's API is made after it. */

type Kind = 'github' | 'gitea'

export const repositoryPath = ({ settings }: Pick<Target<Kind>, 'settings'>): string => `/repos/${settings.repository}`

/** @param product as people call it */
export const issuesOf = (product: string) => {
  const remote = ({ url, repository }: Target<Kind>['settings'], json: unknown): RemoteTicket => {
    const number = textOf(json, 'number')
    if (!isNumber(number)) throw new TrackerFailure(`${product} answered with something that is no issue.`)
    return {
      id: number,
      key: `#${number}`,
      url: `${trimmed(url)}/${repository}/issues/${number}`,
      title: textOf(json, 'title'),
      state: textOf(json, 'state') === 'closed' ? 'closed' : 'open',
    }
  }

  const kind: Pick<TrackerKind<Kind>, 'name' | 'test' | 'create' | 'idOf'> = {
    name: ({ repository }) => repository,

    test: async (target, ask) => {
      const answered = await ask({ method: 'GET', path: repositoryPath(target) })
      const { repository } = target.settings
      const name = textOf(answered.json, 'full_name')
      const hasIssues = fieldOf(answered.json, 'has_issues')
      if (!isSame(name, repository) || typeof hasIssues !== 'boolean') {
        throw isNoAnswer(product, `the repository ${repository}`, answered)
      }
      if (!hasIssues) throw new TrackerFailure(`${repository} has issues switched off. Switch them on in its settings.`)
      return `The token reads ${name}. Whether it may write shows with the first ticket.`
    },

    create: async (target, ask, draft) => {
      const body = { title: titleOf(draft), body: markdownOf(draft) }
      const { json } = await ask({ method: 'POST', path: `${repositoryPath(target)}/issues`, body })
      return remote(target.settings, json)
    },

    idOf: ({ url, repository }, address) => {
      const [owner = '', name = '', what, id = ''] = pathBelow(url, address) ?? []
      return isSame(`${owner}/${name}`, repository) && what === 'issues' && isNumber(id) ? id : null
    },
  }

  return { ...kind, remote }
}

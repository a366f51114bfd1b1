import { getFeedbackSettings, updateFeedbackSettings } from '@firsthand/contract'
import { readProjectSettings } from '../accounts/index.ts'
import type { Accounts } from '../accounts/index.ts'
import { bind, notFound, unwrap } from '../http/index.ts'
import type { Route } from '../http/index.ts'

/** How a project judges reports and answers them. */
export const createFeedbackSettingsRoutes = ({
  accounts,
  canSendEmail,
}: {
  readonly accounts: Pick<Accounts, 'store' | 'projects'>
  readonly canSendEmail: boolean
}): Route[] => {
  const answer = (settings: string) => {
    const { spam, reply } = readProjectSettings(settings).feedback
    return { spam: { ...spam, blockedWords: [...spam.blockedWords] }, reply: { ...reply }, canSendEmail }
  }
  return [
    bind(getFeedbackSettings, async ({ params, request }) => {
      const project = await accounts.store.project(request.organization.id, params.project)
      if (project === null) throw notFound()
      return { body: answer(project.settings) }
    }),
    bind(updateFeedbackSettings, async ({ params, body, request }) => {
      const change = { settings: { feedback: body } }
      return {
        body: answer(unwrap(await accounts.projects.update(request.organization.id, params.project, change)).settings),
      }
    }),
  ]
}

import { readProjectSettings } from '../accounts/index.ts'
import type { Clock } from '../lib/clock.ts'
import { escapeHtml } from '../lib/escape-html.ts'
import { acceptedLanguages, nothingHere, reporterPage } from './reporter-page.ts'
import { fill, reporterTexts } from './reporter-texts.ts'
import { readUnsubscribeToken } from './unsubscribe.ts'
import type { Unsubscribes } from './ledger/unsubscribes.ts'

/**
 * Where a reporter says that they want no more mails about repairs. Looking changes nothing, for mail servers look at every
 * link; a POST does it at once, whatever is in it, as mail programs send it (RFC 8058).
 */
export const createUnsubscribePage = ({
  unsubscribes,
  clock,
}: {
  readonly unsubscribes: Unsubscribes
  readonly clock: Clock
}) => {
  return async (request: Request): Promise<Response> => {
    const texts = reporterTexts(acceptedLanguages(request))
    const asked = readUnsubscribeToken(new URL(request.url).pathname.split('/').at(-1) ?? '')
    const project = asked === null ? null : await unsubscribes.project(asked.projectId)
    if (asked === null || project === null) return nothingHere(texts)
    const head = `<h1>${escapeHtml(texts.stopTitle)}</h1>`
    if (request.method === 'POST') {
      await unsubscribes.add(project.organizationId, asked.addressHash, clock.now())
      const done = `<p class="done" role="status">${escapeHtml(texts.stopped)}</p>`
      return reporterPage(texts, texts.stopTitle, `${head}${done}`, 200)
    }
    const { reply } = readProjectSettings(project.settings).feedback
    const question = fill(texts.stopQuestion, { project: reply.fromName === '' ? project.name : reply.fromName })
    const form = `<form method="post"><button type="submit">${escapeHtml(texts.stop)}</button></form>`
    return reporterPage(texts, texts.stopTitle, `${head}<p>${escapeHtml(question)}</p>${form}`, 200)
  }
}
